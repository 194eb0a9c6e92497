import datetime
import uuid

from langsmith import evaluate
from langsmith.schemas import Example
from task import bot, rows


def system(inputs):
    return {"answer": bot(inputs["country"])}


def exact(outputs, reference_outputs):
    return outputs["answer"] == reference_outputs["expected"]


examples = [
    Example(
        id=uuid.uuid4(),
        dataset_id=uuid.uuid4(),
        created_at=datetime.datetime.now(datetime.UTC),
        inputs={"country": row["country"]},
        outputs={"expected": row["expected"]},
    )
    for row in rows
]
for one in evaluate(system, data=examples, evaluators=[exact], upload_results=False):
    print(one["run"].outputs, one["evaluation_results"]["results"][0].score)
