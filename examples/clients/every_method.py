"""Calls every method that the public Python client (pip install scorecard-ai) has for this API, on a Dokima server.

    SCORECARD_BASE_URL=http://localhost:3000/api/v2 SCORECARD_API_KEY=ak_... python every_method.py

The client needs only these two settings. The script prints one line for each resource, and fails at the first answer that does
not fit the client's own types. docs/clients.md names the methods that are not part of this API.
"""

import asyncio
import hashlib
import time

import httpx
import scorecard_ai
from scorecard_ai import AsyncScorecard, Scorecard
from scorecard_ai.lib import async_run_and_evaluate, multi_turn_simulation, run_and_evaluate

client = Scorecard(max_retries=2)
SCHEMA = {
    "type": "object",
    "properties": {"question": {"type": "string"}, "answer": {"type": "string"}},
    "required": ["question"],
}
MAPPING = {"inputs": ["question"], "expected": ["answer"], "metadata": []}


def said(resource, *what):
    print(f"{resource:12} ok  {' '.join(str(part) for part in what)}")


def projects():
    project = client.projects.create(name="Python client", description="Every method")
    assert project.id in [each.id for each in client.projects.list(limit=1)], "auto-paging finds it"
    said("projects", project.id)
    return project.id


def testsets(project_id):
    testset = client.testsets.create(
        project_id, name="Cases", description="", json_schema=SCHEMA, field_mapping=MAPPING
    )
    assert testset.field_mapping.inputs == ["question"]
    assert client.testsets.get(testset.id).json_schema == SCHEMA
    assert client.testsets.update(testset.id, name="Renamed").name == "Renamed"
    other = client.testsets.create(
        project_id, name="Other", description="", json_schema=SCHEMA, field_mapping=MAPPING
    )
    assert [each.id for each in client.testsets.list(project_id, limit=1)] == [other.id, testset.id]
    assert client.testsets.delete(other.id).success
    said("testsets", testset.id)
    return testset.id


def testcases(testset_id):
    items = [{"json_data": {"question": f"q{n}", "answer": f"a{n}"}} for n in range(7)]
    made = client.testcases.create(testset_id, items=items).items
    assert made[0].inputs == {"question": "q0"} and made[0].expected == {"answer": "a0"}
    wrong = client.testcases.create(testset_id, items=[{"json_data": {"answer": 1}}]).items[0]
    assert sorted(error.path for error in wrong.validation_errors) == ["/answer", "/question"]
    right = client.testcases.update(wrong.id, json_data={"question": "q7", "answer": "a7"})
    assert right.validation_errors is None
    assert client.testcases.get(right.id).json_data == {"question": "q7", "answer": "a7"}
    listed = [each.id for each in client.testcases.list(testset_id, limit=3)]
    assert listed == [each.id for each in made] + [right.id]
    assert client.testcases.delete(ids=[right.id]).success
    said("testcases", len(made))
    return made


def metrics(project_id):
    made = []
    thresholds = {"int": 4, "float": 0.9, "boolean": None}
    for eval_type in ("ai", "human", "heuristic"):
        for output_type, threshold in thresholds.items():
            prompt = {"prompt_template": "Is {{outputs.answer}} right?"} if eval_type == "ai" else {}
            metric = client.metrics.create(
                project_id, name=f"{eval_type} {output_type}", eval_type=eval_type, output_type=output_type, **prompt
            )
            assert type(metric) is not dict and metric.guidelines == "" and metric.description is None
            assert getattr(metric, "passing_threshold", None) == threshold
            if eval_type == "ai":
                assert metric.temperature == 0 and metric.eval_model_name
            updated = client.metrics.update(
                metric.id, eval_type=eval_type, output_type=output_type, name=f"{metric.name}!"
            )
            assert updated.name.endswith("!") and client.metrics.get(metric.id) == updated
            made.append(metric.id)
    assert [each.id for each in client.metrics.list(project_id, limit=4)] == made[::-1]
    spare = client.metrics.create(project_id, name="Spare", eval_type="human", output_type="int")
    assert client.metrics.delete(spare.id).success
    said("metrics", "nine variants")
    return {"human": made[5], "heuristic": made[8]}


def systems(project_id):
    system = client.systems.upsert(project_id, name="Bot", description="A bot", config={"model": "a"})
    version = client.systems.versions.upsert(system.id, config={"model": "b"}, name="second")
    assert client.systems.versions.get(version.id).config == {"model": "b"}
    updated = client.systems.update(system.id, production_version_id=version.id, description="Better")
    assert updated.production_version.id == version.id and len(updated.versions) == 2
    assert client.systems.get(system.id) == updated
    spare = client.systems.upsert(project_id, name="Spare", config={})
    assert [each.id for each in client.systems.list(project_id, limit=1)] == [system.id, spare.id]
    assert client.systems.delete(spare.id).success
    said("systems", len(updated.versions), "versions")
    return version


def runs(project_id, testset_id, metric_ids, version):
    run = client.runs.create(
        project_id, testset_id=testset_id, metric_ids=metric_ids, system_version_id=version.id
    )
    assert run.status == "awaiting_execution" and run.num_expected_records == 7
    assert run.system_id == version.system_id and len(run.metric_version_ids) == 2
    second = client.runs.create(project_id, metric_ids=metric_ids)
    assert [each.id for each in client.runs.list(project_id, limit=1)] == [second.id, run.id]
    said("runs", run.id)
    return run


def records(run, cases):
    made = [
        client.records.create(
            run.id, testcase_id=case.id, inputs=case.inputs, expected=case.expected, outputs={"answer": f"a{n}"}
        )
        for n, case in enumerate(cases)
    ]
    again = [client.records.create(run.id, inputs={}, expected={}, outputs={}, otel_link_id="once") for _ in "12"]
    assert again[0].id == again[1].id
    assert client.records.delete(again[0].id).success
    assert [each.id for each in client.records.list(run.id, limit=2)] == [each.id for each in made]
    said("records", len(made))
    return made


def scores(run, made):
    human, heuristic = run.metric_version_ids
    for record in made:
        score = client.scores.upsert(heuristic, record_id=record.id, score={"binaryScore": True, "reasoning": "Same."})
        assert score.validation_errors is None and score.score == {"binaryScore": True, "reasoning": "Same."}
    queued = client.scores.upsert(human, record_id=made[0].id)
    assert queued.metric_config_id == human
    odd = client.scores.upsert(human, record_id=made[1].id, score={"binaryScore": "yes"})
    assert odd.validation_errors and odd.score == {"binaryScore": "yes"}
    listed = list(client.records.list(run.id, limit=3))
    assert [len(each.scores) for each in listed] == [1, 2] + [1] * 5
    assert client.runs.get(run.id).num_scores == 8
    said("scores", 8)


def people(run, made):
    record = made[0].id
    me = client.get("/me", cast_to=httpx.Response).json()["user"]["id"]
    tag = client.records.tags.create(record, text="money")
    client.records.tags.create(record, text="hard")
    assert tag.text == "money" and [each.text for each in client.records.tags.list(record).data] == ["money", "hard"]
    assert [each.id for each in client.records.list(run.id, tags=["money", "hard"])] == [record]
    assert client.records.tags.delete("hard", record_id=record).deleted == 1
    assert list(client.records.list(run.id, tags=["money", "hard"])) == []
    assert client.records.assignees.create(record, assignee_user_id=me).assignee_user_id == me
    assert len(client.records.assignees.list(record).data) == 1
    assert client.records.assignees.delete(me, record_id=record).deleted == 1
    body = {"rating": True, "comment": "Right."}
    client.post(f"/records/{record}/annotations", body=body, cast_to=httpx.Response)
    (annotation,) = client.records.annotations.list(record).data
    assert annotation.rating is True and annotation.comment == "Right." and annotation.span_id is None
    assert annotation.user_id == me and annotation.created_at.endswith("Z")
    said("people", "tags, assignees, annotations")


def attachments():
    content = b"what the agent wrote"
    digest = hashlib.sha256(content).hexdigest()
    started = client.attachments.initiate(
        session_id="session-1",
        file_path="out/answer.txt",
        sha256=digest,
        size_bytes=len(content),
        content_type="text/plain",
        metadata={"step": 3},
    )
    assert not started.already_exists
    httpx.request(started.upload_method, started.upload_url, content=content).raise_for_status()
    assert client.attachments.commit(started.id).status == "uploaded"
    got = client.attachments.get(started.id)
    assert got.sha256 == digest and httpx.get(got.download_url).content == content
    assert [each.id for each in client.attachments.list("session-1", limit=1)] == [started.id]
    assert client.attachments.delete(started.id).success
    said("attachments", "declared, sent, committed, read, deleted")


def helpers(project_id, testset_id, metric_ids, version):
    def echo(inputs, system_version):
        return {"answer": inputs["question"].replace("q", "a"), "by": system_version and system_version.id}

    run = run_and_evaluate(
        client,
        project_id=project_id,
        testset_id=testset_id,
        metric_ids=metric_ids,
        system_version_id=version.id,
        system=echo,
        trials=2,
    )
    listed = list(client.records.list(run["id"]))
    assert len(listed) == 14 and listed[0].outputs == {"answer": "a0", "by": version.id}

    def with_options(inputs, system_version, options):
        return {"answer": "?", "link": options["otel_link_id"]}

    run = run_and_evaluate(
        client,
        project_id=project_id,
        testcases=[{"inputs": {"question": "loose"}, "expected": {}}],
        metric_ids=metric_ids,
        system=with_options,
    )
    assert client.runs.get(run["id"]).num_records == 1

    async def parallel():
        async with AsyncScorecard() as parallel_client:
            made = await async_run_and_evaluate(
                parallel_client,
                project_id=project_id,
                testset_id=testset_id,
                metric_ids=metric_ids,
                system=echo,
                trials=3,
            )
            return [record.id async for record in parallel_client.records.list(made["id"], limit=4)]

    assert len(set(asyncio.run(parallel()))) == 21
    said("helpers", "run_and_evaluate and async_run_and_evaluate, with trials")


def errors(project_id):
    def refused(error, work):
        try:
            work()
        except error as caught:
            assert caught.status_code == caught.response.status_code
            assert set(caught.body) == {"code", "message", "details"}, caught.body
            return caught.body
        raise AssertionError(f"{error.__name__} was not raised")

    stranger = Scorecard(api_key="ak_" + "0" * 24)
    assert refused(scorecard_ai.AuthenticationError, lambda: list(stranger.projects.list()))["code"] == "UNAUTHORIZED"
    assert refused(scorecard_ai.NotFoundError, lambda: client.runs.get("999999"))["code"] == "NOT_FOUND"
    bad = refused(
        scorecard_ai.BadRequestError,
        lambda: client.metrics.create(
            project_id, name="Bad", eval_type="human", output_type="int", passing_threshold=9
        ),
    )
    assert bad["details"]["issues"] == [{"path": "/passingThreshold", "message": "must be an integer from 1 to 5"}]
    client.systems.upsert(project_id, name="First", config={})
    second = client.systems.upsert(project_id, name="Second", config={})
    no_retries = client.with_options(max_retries=0)
    taken = refused(scorecard_ai.ConflictError, lambda: no_retries.systems.update(second.id, name="First"))
    assert taken["code"] == "CONFLICT"
    limited = refused(scorecard_ai.BadRequestError, lambda: client.projects.list(limit=101))
    assert limited["code"] == "VALIDATION_ERROR"
    said("errors", "401, 404, 400, 409, each with code, message and details")


def retries(project_id):
    """The first two attempts never reach the server, as during a restart."""

    class Unsteady(httpx.HTTPTransport):
        attempts = 0

        def handle_request(self, request):
            self.attempts += 1
            if self.attempts < 3:
                raise httpx.ConnectError("not there yet", request=request)
            return super().handle_request(request)

    transport = Unsteady()
    with Scorecard(http_client=scorecard_ai.DefaultHttpxClient(transport=transport)) as unsteady:
        unsteady.runs.list(project_id)
    assert transport.attempts == 3
    raw = client.runs.with_raw_response.list(project_id)
    assert raw.headers["x-request-id"]
    said("retries", "third attempt answered; request ids are there")


def simulation(project_id, testset_id, metric_ids):
    """A model plays a customer who talks with this system. The model `fake` needs no key; you can name your own model instead."""
    customer = client.systems.upsert(
        project_id,
        name="Customer",
        description="",
        config={"promptTemplate": "You are a customer who asks: {{ inputs.question }}", "modelName": "fake/customer"},
    )

    def system(messages, inputs):
        assert messages[-1]["role"] == "user" and messages[-1]["content"], messages
        yield f"Answer to your message {len(messages)}"

    done = multi_turn_simulation(
        client,
        project_id=project_id,
        metric_ids=metric_ids,
        testset_id=testset_id,
        sim_agent_id=customer.id,
        system=system,
        stop_check=lambda conversation: conversation["turn_count"] >= 2,
    )
    made = list(client.records.list(done["id"]))
    assert len(made) == len(list(client.testcases.list(testset_id)))
    for record in made:
        roles = [message["role"] for message in record.outputs["messages"]]
        assert roles == ["user", "assistant", "user", "assistant"], roles
    said("simulation", len(made), "conversations of four messages")


def main():
    began = time.perf_counter()
    project_id = projects()
    testset_id = testsets(project_id)
    cases = testcases(testset_id)
    by_kind = metrics(project_id)
    metric_ids = [by_kind["human"], by_kind["heuristic"]]
    version = systems(project_id)
    run = runs(project_id, testset_id, metric_ids, version)
    made = records(run, cases)
    scores(run, made)
    people(run, made)
    attachments()
    helpers(project_id, testset_id, metric_ids, version)
    simulation(project_id, testset_id, metric_ids)
    errors(project_id)
    retries(project_id)
    print(f"Every method of scorecard-ai {scorecard_ai.__version__} in {time.perf_counter() - began:.1f} s")


main()
