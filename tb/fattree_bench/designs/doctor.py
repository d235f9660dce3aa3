def run(console, arguments):
    return 0
