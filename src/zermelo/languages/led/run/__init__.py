"""LED programs that run: values, the evaluator, frames and their inputs."""
