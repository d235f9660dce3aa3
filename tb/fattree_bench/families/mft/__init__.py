"""Modified fat-trees of bufferless routers (Bouhraoua and Elrabaa 2006)."""
