from deepeval import evaluate
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
from task import bot, rows


class Exact(BaseMetric):
    threshold = 1

    def measure(self, case):
        self.score = float(case.actual_output == case.expected_output)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, **_):
        return self.measure(case)

    def is_successful(self):
        return self.success


cases = [LLMTestCase(input=row["country"], actual_output=bot(row["country"]), expected_output=row["expected"]) for row in rows]
evaluate(cases, [Exact()])
