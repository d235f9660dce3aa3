# All that `make sim` and `make test` need: docker build -t bench . && docker run -it bench make sim
FROM python:3.11-bookworm
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
    g++ make perl git ccache iverilog chromium lcov fonts-dejavu-core \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /bench
COPY . .
RUN make setup
CMD ["make", "sim"]
