import mlflow
from mlflow.genai.scorers import scorer
from task import bot, rows

mlflow.set_tracking_uri("sqlite:///mlflow.db")


@scorer
def exact(outputs, expectations):
    return outputs == expectations["expected"]


found = mlflow.genai.evaluate(
    data=[{"inputs": {"country": row["country"]}, "expectations": {"expected": row["expected"]}} for row in rows],
    predict_fn=bot,
    scorers=[exact],
)
print(found.metrics)
