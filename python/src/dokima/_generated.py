# Generated from openapi.json by `npm run generate`. Do not edit.
# ruff: noqa
# mypy: disable-error-code="no-any-return"
"""Types and operations of the API. Arguments and attributes are in snake_case; keys of answers are those of the API."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Unpack, overload

from ._async_http import AsyncHttp, AsyncPages
from ._http import Answer, quote
from ._sync_http import Http, Pages

#: What to do about each error of the service.
FIXES: dict[str, str] = {
    "VALIDATION_ERROR": "Read `details.issues`, which lists every problem. `path` is a JSON Pointer into the body or the query; `message` says what the value must be.",
    "UNAUTHORIZED": "Send `Authorization: Bearer ak_…` with a key that `GET /api/v2/keys` lists. For a link, get the attachment again.",
    "FORBIDDEN": "Use a key with full access, or ask an admin for another role.",
    "NOT_FOUND": "Look the id up in its list with the same key.",
    "CONFLICT": "`details` says what the request conflicts with. Choose another value, or remove the conflict first.",
    "PRECONDITION_FAILED": "Read the resource again, and repeat your change on what it is now.",
    "METHOD_NOT_ALLOWED": "Compare the method with the API reference at `/docs`.",
    "PAYLOAD_TOO_LARGE": "Split the request. Send files as attachments.",
    "UNSUPPORTED_MEDIA_TYPE": "Send `Content-Type: application/json`, uncompressed.",
    "RANGE_NOT_SATISFIABLE": "`details.sizeBytes` is the attachment's size. A resumed download that gets this error was already complete.",
    "LIMIT_REACHED": "Delete one that you no longer need. limits.md lists the limits.",
    "RATE_LIMITED": "Wait `Retry-After` seconds. Send batches instead of single requests.",
    "INTERNAL_ERROR": "Give the answer's `X-Request-Id` to the operator. The log has the cause under this id.",
}


#: Fields that an answer may leave out: None as attributes.
OPTIONAL = frozenset(
    [
        "audioInput",
        "audioOutput",
        "blind",
        "cacheWrite",
        "cachedAudioInput",
        "cachedInput",
        "changes",
        "configurations",
        "conversation",
        "criteria",
        "criterion",
        "currentTestcaseRevision",
        "description",
        "error",
        "evalModelName",
        "fromExpected",
        "guidelines",
        "id",
        "inputField",
        "isolate",
        "items",
        "jsonData",
        "judge",
        "judgeBudgetUsd",
        "jury",
        "labels",
        "lastDelivery",
        "look",
        "looks",
        "madeBy",
        "maxTurns",
        "media",
        "merged",
        "metricId",
        "minDurationMs",
        "modelName",
        "mustPass",
        "name",
        "numCriteriaLeftOut",
        "numSpans",
        "numUnweighted",
        "ordered",
        "passage",
        "passingThreshold",
        "pinnedSet",
        "pooled",
        "promptTemplate",
        "q",
        "reasoning",
        "record",
        "records",
        "runs",
        "service",
        "share",
        "shares",
        "simulation",
        "slices",
        "snapshot",
        "spanId",
        "spans",
        "split",
        "tag",
        "tags",
        "temperature",
        "testcaseField",
        "testcaseId",
        "toolCallId",
        "toolCalls",
        "trace",
        "traceId",
        "trials",
        "usage",
        "validationErrors",
        "weight",
        "weightBy",
        "weightedBy",
        "winners",
        "worst",
    ]
)


class ApiKey(Answer):
    """An API key without its secret part."""

    id: str
    """Id of the key."""
    user_id: str
    """Id of the key's member, who is the author of all that the key writes."""
    name: str
    """Purpose of the key."""
    prefix: str
    """First characters of the key, to tell keys apart."""
    access: Literal["full", "read"]
    """full: the key may do what its member may do. read: the key may only read."""
    default_project_id: str | None
    """Project for traces that are sent with this key and name no project; null without one."""
    created_at: str
    """When it was created."""
    expires_at: str | None
    """When it expires; null if never."""
    last_used_at: str | None
    """When it was last used, to the minute; null if never."""


class ApiKeyCreated(Answer):
    """A new API key."""

    id: str
    """Id of the key."""
    user_id: str
    """Id of the key's member, who is the author of all that the key writes."""
    name: str
    """Purpose of the key."""
    prefix: str
    """First characters of the key, to tell keys apart."""
    access: Literal["full", "read"]
    """full: the key may do what its member may do. read: the key may only read."""
    default_project_id: str | None
    """Project for traces that are sent with this key and name no project; null without one."""
    created_at: str
    """When it was created."""
    expires_at: str | None
    """When it expires; null if never."""
    last_used_at: str | None
    """When it was last used, to the minute; null if never."""
    key: str
    """The key itself. It is shown only here; the service stores a hash."""


class Success(Answer):
    """The request is done and has no other result."""

    success: bool
    """Always true."""


class Alert(Answer):
    """Sends events of a project to a webhook, to Slack, by e-mail or to an OpenTelemetry collector."""

    id: str
    """Id of the alert."""
    project_id: str
    """Id of its project."""
    name: str
    """Name of the alert."""
    kind: Literal["webhook", "slack", "email", "otlp"]
    """How events are sent."""
    target: str
    """E-mail addresses, or the origin of the URL: the path is left out because it may be a credential."""
    addresses: list[MailAddress]
    """email: the addresses, and whether they get mails. Empty for other kinds."""
    events: list[Literal["run.completed", "gate.failed", "budget.reached", "drift.found", "monitor.worse", "traffic.worse", "record.scored"]]
    """Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else."""
    min_pass_rate: float | None
    """monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project."""
    label_metric_id: str | None
    """monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare."""
    label: str | None
    """monitor.worse: the label. A configuration without it is not watched."""
    max_label_share: float | None
    """monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1."""
    false_alarms_per_year: float
    """monitor.worse and traffic.worse: highest average number of false alarms a year, of each."""
    traffic_window: Literal["hour", "day"]
    """traffic.worse: length of the windows of UTC that are looked at."""
    max_error_rate: float | None
    """traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any."""
    max_latency_ms: float | None
    """traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any."""
    max_cost_usd: float | None
    """traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any."""
    paused: bool
    """Whether nothing is sent. Events that happen while it is paused are not sent later."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it last changed."""
    last_delivery: AlertLastDelivery | None
    """Only in lists: the newest event that it told, or is to tell; null if there is none."""


class MailAddress(Answer):
    """Address to which an alert sends mails."""

    address: str
    """E-mail address."""
    state: Literal["member", "confirmed", "waiting", "stopped"]
    """member: a member of the organization has this address, and did not choose it themselves. confirmed: its owner wants the mails. waiting: its owner has not answered yet. stopped: its owner does not want them. Only member and confirmed get mails."""
    asked_at: str | None
    """When its owner was last asked; null if never."""


class AlertLastDelivery(Answer):
    """AlertLastDelivery."""

    event: str
    """The event, or `test`."""
    title: str
    """What happened."""
    state: Literal["pending", "delivered", "failed"]
    """pending: it is being sent or will be sent again. delivered: the receiver accepted it; of several addresses, all that get mails. failed: it is not sent again."""
    created_at: str
    """When the event was noted."""


class AlertDelivery(Answer):
    """One event that was sent, or is to be sent, by an alert."""

    id: str
    """Id of the delivery, and the header webhook-id of each attempt."""
    event: str
    """The event, `test`, or `address.confirmation`: the owner of an address is asked."""
    title: str
    """What happened."""
    state: Literal["pending", "delivered", "failed"]
    """pending: it is being sent or will be sent again. delivered: the receiver accepted it; of several addresses, all that get mails. failed: it is not sent again."""
    num_attempts: int
    """Number of attempts."""
    status: int | None
    """HTTP status of the last answer; null without one."""
    last_error: str | None
    """Why the last attempt failed."""
    unconfirmed: list[str]
    """email: addresses that did not get it, because their owners have not confirmed them."""
    next_attempt_at: str | None
    """When it is sent next; null unless it is pending."""
    created_at: str
    """When the event was noted."""
    ended_at: str | None
    """When it was delivered or given up."""


class AddressQuestion(Answer):
    """What a link in a mail is for."""

    does: Literal["confirm", "stop"]
    """What the link does: it begins or ends the mails."""
    address: str
    """E-mail address that the link is for."""
    organization_name: str
    """Name of the organization that sends the mails."""
    answered: bool
    """Whether it is so already."""


class ListAlarmsAnswer(Answer):
    """ListAlarmsAnswer."""

    data: list[WatchedFigure]
    """The watched figures: those with a limit."""


class WatchedFigure(Answer):
    """A figure of the last 30 days with the alarms that a limit would have raised."""

    measure: Literal["errors", "latency", "cost", "passRate", "labelShare"]
    """errors: share of records with a failed span. latency: 95th percentile in milliseconds. cost: sum in US dollars. passRate: of a metric of a monitor. labelShare: of a label of a category of a monitor."""
    name: str
    """What is watched, in words."""
    judge: str | None
    """How far the judge of a passRate can be trusted, in a few words; null unless a model judges."""
    window: Literal["hour", "day"]
    """Length of the windows of `points`."""
    limit: float
    """The limit that it is held against."""
    points: list[WatchedFigurePointsItem]
    """Windows with records, oldest first."""
    alarms: list[str]
    """When an alarm would have been raised, oldest first. At most one a day."""


class WatchedFigurePointsItem(Answer):
    """WatchedFigurePointsItem."""

    start: str
    """Start of the window."""
    n: int
    """Number of records that it rests on."""
    value: float
    """The figure in this window."""


class ListAlertsAnswer(Answer):
    """ListAlertsAnswer."""

    data: list[Alert]
    """Alerts, oldest first."""


class AlertCreated(Answer):
    """A new alert with its signing key."""

    id: str
    """Id of the alert."""
    project_id: str
    """Id of its project."""
    name: str
    """Name of the alert."""
    kind: Literal["webhook", "slack", "email", "otlp"]
    """How events are sent."""
    target: str
    """E-mail addresses, or the origin of the URL: the path is left out because it may be a credential."""
    addresses: list[MailAddress]
    """email: the addresses, and whether they get mails. Empty for other kinds."""
    events: list[Literal["run.completed", "gate.failed", "budget.reached", "drift.found", "monitor.worse", "traffic.worse", "record.scored"]]
    """Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else."""
    min_pass_rate: float | None
    """monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project."""
    label_metric_id: str | None
    """monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare."""
    label: str | None
    """monitor.worse: the label. A configuration without it is not watched."""
    max_label_share: float | None
    """monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1."""
    false_alarms_per_year: float
    """monitor.worse and traffic.worse: highest average number of false alarms a year, of each."""
    traffic_window: Literal["hour", "day"]
    """traffic.worse: length of the windows of UTC that are looked at."""
    max_error_rate: float | None
    """traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any."""
    max_latency_ms: float | None
    """traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any."""
    max_cost_usd: float | None
    """traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any."""
    paused: bool
    """Whether nothing is sent. Events that happen while it is paused are not sent later."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it last changed."""
    signing_secret: str | None
    """webhook: the key that signs each request, as whsec_ and Base64. It is not shown again."""


class ReviewerAgreement(Answer):
    """How far people who reviewed the same records agree."""

    metric_config_id: str
    """Configuration that people scored."""
    output_type: str
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes; null for a boolean."""
    measure: str
    """What is compared: `score` or `pass`."""
    unit: Literal["record", "span"]
    """What was reviewed. For a metric that scores spans, what is called a record here is a span, and the last score that each person gave it is their review."""
    level: float
    """Confidence level."""
    num_reviews: int
    """Number of reviews that count, at most the 200,000 of the newest runs."""
    num_reviews_left_out: int
    """Number of reviews that do not count, because their authors could have seen others."""
    num_records: int
    """Number of records with a review."""
    num_records_with_several: int
    """Number of records with two or more reviews."""
    agreement: Estimate
    alpha: Estimate
    ac: Estimate
    reviewers: list[ReviewerAgreementReviewersItem]
    """Each reviewer compared with the others: the 50 with the most reviews, most first."""
    num_reviewers_left_out: int
    """Number of further reviewers."""
    pairs: list[ReviewerAgreementPairsItem]
    """Pairs of reviewers: the 100 with the most records in common."""
    criteria: list[ReviewerAgreementCriteriaItem] | None
    """Only with `criteria`. Each criterion that was reviewed, first those of the metric; at most 200."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class Estimate(Answer):
    """A number with its uncertainty, or with the reason why it has none."""

    method: str
    """Method of the interval."""
    n: int
    """Number of independent units: testcases, or groups of testcases."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights."""
    level: float
    """Confidence level."""
    estimate: float | None
    """The estimate; null without data."""
    standard_error: float | None
    """Standard error of the estimate."""
    interval: Interval | None
    """The interval; null with too little data."""
    reason: str | None
    """Why there is no interval."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class Interval(Answer):
    """A confidence interval."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


class EstimateCaveatsItem(Answer):
    """EstimateCaveatsItem."""

    code: Literal["fewTestcases", "fewGroups", "spanMeans", "spanLabels", "fewLabels", "fewRecords", "nearBound", "noSpread", "noEvent", "skewed", "unpaired", "missingScores", "missingVerdicts", "invalidScores", "belowFloor", "dependentRecords", "metricChanged", "judgeError", "judgeNoBetterThanChance", "judgeNotCalibrated", "judgeErrsDifferently", "peopleErr", "sampleIncomplete", "notSampled", "labelsOfModels", "abstained", "reviewsLeftOut", "reviewsSeen", "partialCoverage", "notSequential", "orderNotDrawn", "mixedScorers", "repeatedInputs", "nearDuplicates", "unequalWeights", "withoutWeight", "notCorrected"]
    """Kind of warning, for programs."""
    sentence: str
    """The warning, for readers."""


class ReviewerAgreementReviewersItem(Answer):
    """ReviewerAgreementReviewersItem."""

    user_id: str
    """Id of the reviewer."""
    num_reviews: int
    """Number of their reviews."""
    num_shared: int
    """Number of these records that others reviewed too."""
    agreement: float | None
    """Share of the others who gave the same score, averaged over the shared records."""
    difference: float | None
    """How much higher they score than the others on the shared records; for pass or fail, a difference of shares."""
    alpha_without: float | None
    """α without this reviewer. If it is higher than α, this reviewer disagrees with the rest."""


class ReviewerAgreementPairsItem(Answer):
    """ReviewerAgreementPairsItem."""

    user_ids: list[str]
    """Ids of the two reviewers."""
    n: int
    """Number of records that both reviewed."""
    agreement: Estimate
    kappa: Estimate | None
    """Cohen's κ, with quadratic weights for scores from 1 to 5; null for floats."""


class ReviewerAgreementCriteriaItem(Answer):
    """ReviewerAgreementCriteriaItem."""

    id: str
    """Id of the criterion."""
    text: str | None
    """Its text; null if only testcases have it."""
    num_records_with_several: int
    """Number of records with two or more reviews of it."""
    agreement: Estimate
    alpha: Estimate
    ac: Estimate


class JudgeCalibration(Answer):
    """Comparison of a judge with people who decided the same records."""

    metric_config_id: str
    """Configuration of the judge."""
    passing_threshold: float | None
    """Its passing threshold; null for a boolean."""
    source: str
    """Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known."""
    split: str
    """Which labels count."""
    labels: JudgeCalibrationLabels
    """Numbers of labelled records, from the 100 newest runs with this configuration."""
    abstained: JudgeCalibrationAbstained
    """Labelled records that the judge left out."""
    labelled_at: str | None
    """When the newest label was given; null without labels."""
    has_pinned_set: bool
    """Whether records of the metric are pinned for checks of drift."""
    method: str
    """Method."""
    n: int
    """Number of labelled records."""
    effective_n: float
    """Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities."""
    level: float
    """Confidence level."""
    matrix: JudgeCalibrationMatrix
    """Number of labelled records by the verdicts of judge and people."""
    sensitivity: Estimate
    specificity: Estimate
    agreement: Estimate
    base_rate: Estimate
    kappa: Estimate
    ac1: Estimate
    num_disagreements: int
    """Number of records on which they disagree; `listJudgeDisagreements` lists them."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    assumption: str
    """Assumption of all numbers here."""
    weighted_kappa: Estimate | None
    """κ with quadratic weights, if both score from 1 to 5."""
    threshold: JudgeCalibrationThreshold | None
    """The best passing threshold; null for a boolean and for a category."""
    confusion: JudgeCalibrationConfusion | None
    """Labels of the judge against those of people; null unless the judge gives labels."""
    judge: JudgeCalibrationJudge
    """How well a judge is calibrated."""
    corrected_rate: JudgeCalibrationCorrectedRate | None
    """Pass rate of `numPasses` among `numJudged` records, corrected with the judge's error rates; null unless both are given."""
    corrected_rates: list[JudgeCalibrationCorrectedRatesItem]
    """The `rates`, corrected in the same way, in their order."""
    configurations: list[JudgeCalibrationConfigurationsItem] | None
    """Only with `configurations`. The newest 10 configurations, each a separate judge."""
    pinned_set: PinnedSet | None
    """Only with `pinnedSet`. The pinned set; null without one."""
    criteria: CriteriaCalibration | None
    """Only with `criteria`. Each criterion compared with people; null for a metric without criteria."""
    jury: JuryAgreement | None
    """Only with `jury`. The jury, on all labels; null without one."""
    corrected: JudgeCalibrationCorrected | None
    """Corrected pass rate of the run; null without `runId` and without labels."""


class JudgeCalibrationLabels(Answer):
    """Numbers of labelled records, from the 100 newest runs with this configuration."""

    dev: int
    """Records for tuning the judge."""
    test: int
    """Records for testing the judge."""
    unjudged: int
    """Labelled records without a verdict of the judge; they are left out of the rates."""


class JudgeCalibrationAbstained(Answer):
    """Labelled records that the judge left out."""

    num_records: int
    """Labelled records without a verdict of the judge."""
    num_labels: int
    """All labelled records."""
    num_passed_by_people: int
    """Number of the records without a verdict that people passed."""
    share: Estimate


class JudgeCalibrationMatrix(Answer):
    """Number of labelled records by the verdicts of judge and people."""

    true_positives: int
    """Judge and people pass the record."""
    false_positives: int
    """Only the judge passes the record."""
    false_negatives: int
    """Only people pass the record."""
    true_negatives: int
    """Neither passes the record."""


class JudgeCalibrationThreshold(Answer):
    """JudgeCalibrationThreshold."""

    method: str
    """How the best threshold was chosen."""
    n: int
    """Number of labels of the dev split."""
    points: list[JudgeCalibrationThresholdPointsItem]
    """Thresholds from the strictest to the most lenient, at most 100."""
    best: JudgeCalibrationThresholdPointsItem | None
    """The best threshold on the dev labels; null without labels of both kinds."""
    on_test: JudgeCalibrationThresholdOnTest | None
    """The same threshold on the test labels."""
    reason: str | None
    """Why there is no best threshold."""
    warnings: list[str]
    """Warnings for the reader."""


class JudgeCalibrationThresholdPointsItem(Answer):
    """JudgeCalibrationThresholdPointsItem."""

    threshold: float
    """Lowest score that passes."""
    matrix: JudgeCalibrationMatrix
    """Number of labelled records by the verdicts of judge and people."""
    sensitivity: float | None
    """Share of the records passed by people that the judge passes; null without any."""
    specificity: float | None
    """Share of the records failed by people that the judge fails; null without any."""
    agreement: float
    """Share of records on which judge and people agree."""


class JudgeCalibrationThresholdOnTest(Answer):
    """JudgeCalibrationThresholdOnTest."""

    method: str
    """Method."""
    n: int
    """Number of labelled records."""
    effective_n: float
    """Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities."""
    level: float
    """Confidence level."""
    matrix: JudgeCalibrationMatrix
    """Number of labelled records by the verdicts of judge and people."""
    sensitivity: Estimate
    specificity: Estimate
    agreement: Estimate
    base_rate: Estimate
    kappa: Estimate
    ac1: Estimate
    num_disagreements: int
    """Number of records on which they disagree; `listJudgeDisagreements` lists them."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class JudgeCalibrationConfusion(Answer):
    """JudgeCalibrationConfusion."""

    names: list[str]
    """The labels of the judge, then those that only people gave."""
    ordered: bool
    """Whether they go from worst to best. False if people gave other labels."""
    table: list[list[int]]
    """Number of records: a row for each label of the judge, a column for each label of people."""
    agreement: Estimate
    kappa: Estimate
    alpha: Estimate


class JudgeCalibrationJudge(Answer):
    """How well a judge is calibrated."""

    metric_config_id: str
    """Configuration of the judge."""
    people_metric_id: str | None
    """Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind."""
    labelled_at: str | None
    """When the newest label was given; null without labels."""
    labels_by: JudgeCalibrationJudgeLabelsBy
    """Numbers of labelled records by the makers of the labels."""
    grade: Literal["unusable", "useWithCorrection", "mayGateAlone"]
    """`unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points."""
    loss: JudgeCalibrationJudgeLoss | None
    """How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds."""
    state: Literal["notCalibrated", "tooFewLabels", "noBetterThanChance", "calibrated"]
    """`notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0."""
    num_labels: int
    """Number of labelled records that the judge decided."""
    abstained: int
    """Number of labelled records without a verdict of the judge."""
    sensitivity: Estimate
    specificity: Estimate
    youden: JudgeCalibrationJudgeYouden | None
    """Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds."""
    sentence: str
    """The same in words."""
    trust: str
    """The grade and the doubts in a few words, for a badge beside each rate of the judge."""
    doubts: list[JudgeCalibrationJudgeDoubtsItem]
    """What keeps the judge from being trusted as its grade says; `sentence` names them too."""


class JudgeCalibrationJudgeLabelsBy(Answer):
    """Numbers of labelled records by the makers of the labels."""

    people: int
    """Number by people: in a browser session, or as their sender said."""
    clients: int
    """Number that came with a key, whose sender did not say who made them. They count."""
    code: int
    """Number by code."""
    models: int
    """Number by models. They are left out: they never calibrate a judge."""


class JudgeCalibrationJudgeLoss(Answer):
    """JudgeCalibrationJudgeLoss."""

    estimate: float
    """The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points."""
    interval: Interval
    largest: Literal["falseFails", "falsePasses"]
    """Kind of error that is the larger one: it fails good records, or it passes bad ones."""


class JudgeCalibrationJudgeYouden(Answer):
    """JudgeCalibrationJudgeYouden."""

    estimate: float
    """Sensitivity + specificity − 1."""
    interval: Interval


class JudgeCalibrationJudgeDoubtsItem(Answer):
    """JudgeCalibrationJudgeDoubtsItem."""

    code: Literal["biased", "biasUndecided", "batteryExpired", "modelUntested", "drifted", "labelsExpired"]
    """`biased` and `biasUndecided`: what its bias battery found. `batteryExpired`: the battery is older than 180 days. `modelUntested`: a model answers that the battery has not tested. `drifted`: its newest drift trial says so. `labelsExpired`: its newest label is older than 365 days."""
    words: str
    """In a few words."""
    sentence: str
    """The doubt as a sentence."""


class JudgeCalibrationCorrectedRate(Answer):
    """JudgeCalibrationCorrectedRate."""

    method: str
    """Method of the interval."""
    n: int
    """Number of independent units: testcases, or groups of testcases."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights."""
    level: float
    """Confidence level."""
    estimate: float | None
    """The estimate; null without data."""
    standard_error: float | None
    """Standard error of the estimate."""
    interval: Interval | None
    """The interval; null with too little data."""
    reason: str | None
    """Why there is no interval."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    people: JudgeCalibrationCorrectedRatePeople | None
    """How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right."""
    uncorrected: float | None
    """Pass rate according to the judge."""


class JudgeCalibrationCorrectedRatePeople(Answer):
    """JudgeCalibrationCorrectedRatePeople."""

    num_records: int
    """Number of records with two or more blind reviews."""
    disagreement: float
    """Share of pairs of reviews of one record that differ."""
    error: float
    """Estimated share of wrong reviews. It assumes that people err independently and equally often."""
    interval: Interval
    uncorrected: JudgeCalibrationCorrectedRatePeopleUncorrected | None
    """The rate on the assumption that people are right; null if the rate is not corrected for their errors."""


class JudgeCalibrationCorrectedRatePeopleUncorrected(Answer):
    """JudgeCalibrationCorrectedRatePeopleUncorrected."""

    estimate: float
    """The rate."""
    interval: Interval


class JudgeCalibrationCorrectedRatesItem(Answer):
    """JudgeCalibrationCorrectedRatesItem."""

    n: int
    """Number of judged records."""
    estimate: float | None
    """The corrected rate; null where it cannot be corrected."""
    interval: Interval | None
    """Its interval."""


class JudgeCalibrationConfigurationsItem(Answer):
    """JudgeCalibrationConfigurationsItem."""

    judge: JudgeCalibrationJudge
    """How well a judge is calibrated."""
    kappa: Estimate


class PinnedSet(Answer):
    """Labelled records on which judges are tried, with the reference verdicts of the judge in use."""

    metric_id: str
    """Id of the metric."""
    metric_config_id: str
    """Configuration of the reference."""
    served_model_names: list[str]
    """Models that gave the reference verdicts, as named by their provider."""
    source: str
    """Source of the labels: `metric`, `overrides` or `thumbs`."""
    automatic: bool
    """Whether the service starts drift trials itself."""
    num_records: int
    """Number of pinned records."""
    num_human_passes: int
    """Number of pinned records that people pass."""
    num_judge_passes: int
    """Number of pinned records that the reference passes."""
    due: str | None
    """Why a drift trial is due: what is new since the last one; null if nothing is."""
    pinned_at: str
    """When the set was pinned."""


class CriteriaCalibration(Answer):
    """How far a judge and people agree on each criterion."""

    criteria: list[CriteriaCalibrationCriteriaItem]
    """Each criterion, compared like a judge: first those of the metric, then those of testcases, which have the most labels first. Each interval is for one criterion."""
    num_criteria_left_out: int
    """Number of further criteria: at most 200 are listed."""
    together: CriteriaCalibrationTogether
    """All verdicts on all criteria together. The verdicts on one record depend on each other: the intervals are clustered by record."""


class CriteriaCalibrationCriteriaItem(Answer):
    """CriteriaCalibrationCriteriaItem."""

    id: str
    """Id of the criterion."""
    text: str | None
    """Its text; null if only testcases have it."""
    weight: float | None
    """Its weight; null if only testcases have it."""
    must_pass: bool | None
    """Whether the score is 0 without it; null if only testcases have it."""
    method: str
    """Method."""
    n: int
    """Number of labelled records."""
    effective_n: float
    """Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities."""
    level: float
    """Confidence level."""
    matrix: JudgeCalibrationMatrix
    """Number of labelled records by the verdicts of judge and people."""
    sensitivity: Estimate
    specificity: Estimate
    agreement: Estimate
    base_rate: Estimate
    kappa: Estimate
    ac1: Estimate
    num_disagreements: int
    """Number of records on which they disagree; `listJudgeDisagreements` lists them."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    unjudged: int
    """Labels without a verdict of the judge; they are left out of the rates."""
    state: Literal["notCalibrated", "tooFewLabels", "noBetterThanChance", "calibrated"]
    """`notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0."""
    grade: Literal["unusable", "useWithCorrection", "mayGateAlone"]
    """`unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points."""


class CriteriaCalibrationTogether(Answer):
    """All verdicts on all criteria together. The verdicts on one record depend on each other: the intervals are clustered by record."""

    method: str
    """Method."""
    n: int
    """Number of labelled records."""
    effective_n: float
    """Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities."""
    level: float
    """Confidence level."""
    matrix: JudgeCalibrationMatrix
    """Number of labelled records by the verdicts of judge and people."""
    sensitivity: Estimate
    specificity: Estimate
    agreement: Estimate
    base_rate: Estimate
    kappa: Estimate
    ac1: Estimate
    num_disagreements: int
    """Number of records on which they disagree; `listJudgeDisagreements` lists them."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    unjudged: int
    """Labels without a verdict of the judge; they are left out of the rates."""
    state: Literal["notCalibrated", "tooFewLabels", "noBetterThanChance", "calibrated"]
    """`notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0."""
    grade: Literal["unusable", "useWithCorrection", "mayGateAlone"]
    """`unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points."""


class JuryAgreement(Answer):
    """How far each model of a jury agrees with the others and with people."""

    metric_config_id: str
    """Configuration of the judge."""
    source: str
    """Source of the labels: `metric`, `overrides`, `thumbs`, or `none` if the human metric of the judge is not known."""
    num_records: int
    """Number of records that were read: the newest 2,000, and the newest 2,000 with a label."""
    jury_with_people: Estimate
    models: list[JuryAgreementModelsItem]
    """The models of the jury, the metric's own first."""


class JuryAgreementModelsItem(Answer):
    """JuryAgreementModelsItem."""

    model_name: str
    """Name of the model."""
    num_verdicts: int
    """Number of these records on which it gave a verdict."""
    with_jury: Estimate
    with_people: Estimate


class JudgeCalibrationCorrected(Answer):
    """JudgeCalibrationCorrected."""

    run_id: str
    """Id of the run."""
    rogan_gladen: JudgeCalibrationCorrectedRoganGladen
    """Corrected with the judge's error rates on all labels. Each trial of a testcase counts."""
    prediction_powered: JudgeCalibrationCorrectedPredictionPowered
    """Corrected with the labels of this run alone, which must be a random sample."""


class JudgeCalibrationCorrectedRoganGladen(Answer):
    """Corrected with the judge's error rates on all labels. Each trial of a testcase counts."""

    method: str
    """Method of the interval."""
    n: int
    """Number of independent units: testcases, or groups of testcases."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights."""
    level: float
    """Confidence level."""
    estimate: float | None
    """The estimate; null without data."""
    standard_error: float | None
    """Standard error of the estimate."""
    interval: Interval | None
    """The interval; null with too little data."""
    reason: str | None
    """Why there is no interval."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    people: JudgeCalibrationCorrectedRatePeople | None
    """How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right."""
    uncorrected: float | None
    """Pass rate according to the judge."""


class JudgeCalibrationCorrectedPredictionPowered(Answer):
    """Corrected with the labels of this run alone, which must be a random sample."""

    method: str
    """Method of the interval."""
    n: int
    """Number of independent units: testcases, or groups of testcases."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights."""
    level: float
    """Confidence level."""
    estimate: float | None
    """The estimate; null without data."""
    standard_error: float | None
    """Standard error of the estimate."""
    interval: Interval | None
    """The interval; null with too little data."""
    reason: str | None
    """Why there is no interval."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    people: JudgeCalibrationCorrectedRatePeople | None
    """How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right."""
    uncorrected: float | None
    """Pass rate according to the judge."""
    num_labels: int
    """Number of labels in this run."""
    num_disagreements: int
    """Number of these labels on which judge and people differ."""
    num_labels_to_halve: float | None
    """Number of further labels that halve the interval; null if labels for the whole run do not."""
    more_labels: str | None
    """Effect of further labels, in words."""
    sampled: bool
    """Whether the service drew the labelled records at random; their inclusion probabilities then weight them."""


class CalibrationDisagreement(Answer):
    """A record on which the judge and people disagree."""

    id: str
    """Id of the record, with trace and span for a metric of spans."""
    record_id: str
    """Id of the record."""
    trace_id: str | None
    """Trace of the span, for a metric of spans."""
    span_id: str | None
    """The span, for a metric of spans."""
    testcase_id: str | None
    """Id of its testcase; null without one."""
    split: str
    """Whether the label is for tuning (`dev`) or for testing (`test`)."""
    judge: CalibrationDisagreementJudge
    """Score of the judge."""
    human: CalibrationDisagreementHuman
    """Score of people."""
    record: RecordDetail | None
    """The record; absent without `records`, null if the record was deleted during the request."""


class CalibrationDisagreementJudge(Answer):
    """Score of the judge."""

    value: float | str
    """The score; a text is a label."""
    passed: bool
    """Whether it passes."""


class CalibrationDisagreementHuman(Answer):
    """Score of people."""

    value: float | str
    """The score; a text is a label."""
    passed: bool
    """Whether it passes."""


class RecordDetail(Answer):
    """A record with everything except annotations and attachments."""

    id: str
    """Id of the record, `<run>-<n>`."""
    run_id: str
    """Id of its run."""
    testcase_id: str | None
    """Id of its testcase; absent without one."""
    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    scores: list[Score]
    """The scores that have been given."""
    score_states: list[ScoreState]
    """State of every score of the record."""
    blind: bool | None
    """Whether the scores and annotations of others are left out, because you have yet to score the record in a review queue. Only for a single record."""
    tags: list[str]
    """Tags, oldest first."""
    assignee_user_ids: list[str]
    """Users whom the record is assigned to, oldest assignment first."""
    annotation_counts: RecordDetailAnnotationCounts
    """Numbers of annotations."""
    measures: RecordDetailMeasures | None
    """Latency, tokens and cost of the record, from its traces or else the call of its system; null without either."""
    testcase_revision: int | None
    """Revision of the testcase when the record was created."""
    current_testcase_revision: int | None
    """Revision of the testcase now; null if it was deleted, or without one. Only for a single record."""
    otel_link_id: str | None
    """Id that links the record to a trace."""
    origin_record_id: str | None
    """Record that was copied into this one for the trial of a judge."""
    session_id: str | None
    """Session that it belongs to."""
    created_at: str
    """When it was created; for a record of traces, when the first of them began."""


class Score(Answer):
    """Score of a record by a metric."""

    record_id: str
    """Id of the record."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    score: dict[str, Any]
    """One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""
    user_id: str
    """Member who gave the score; `background-job` for an automatic or a pending one."""
    made_by: Literal["person", "client", "model"] | None
    """Who made it, if its sender said so or reviewers did: a person, a client or a model. `scoreStates` of the record has it for each score."""


class ScoreValidationErrorsItem(Answer):
    """ScoreValidationErrorsItem."""

    path: str
    """JSON Pointer to the problem."""
    message: str
    """What the value must be."""


class ScoreState(Answer):
    """State and score of one metric on one record."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the score. Only a scored one has a value; a failed judge does not count as a no."""
    passed: bool | None
    """Whether the value reaches the metric's threshold; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    updated_at: str
    """When the state last changed."""


class RecordDetailAnnotationCounts(Answer):
    """Numbers of annotations."""

    positive: int
    """Positive annotations."""
    negative: int
    """Negative annotations."""
    commented: int
    """Annotations with a comment."""


class RecordDetailMeasures(Answer):
    """RecordDetailMeasures."""

    latency_ms: float | None
    """Latency in milliseconds."""
    input_tokens: float | None
    """Input tokens."""
    output_tokens: float | None
    """Output tokens."""
    cost_usd: float | None
    """Cost in US dollars, as reported: earlier attempts included, without judges and simulated users."""
    num_errors: int
    """Number of failed spans."""
    user_id: str | None
    """User whom its traces name."""


class JudgePassport(Answer):
    """How far a judge can be trusted, signed, so that anyone can check it without the service."""

    payload: JudgePassportPayload
    """What is signed."""
    signature: JudgePassportSignature
    """Signature of the payload."""


class JudgePassportPayload(Answer):
    """What is signed."""

    format: Literal["dokima-judge-passport"]
    """What this is."""
    version: Literal[1]
    """Version of the format."""
    project_id: str
    """Id of the project."""
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the judge."""
    metric_hash: str
    """SHA-256 of all that decides how the configuration scores, without its ids."""
    grade: Literal["unusable", "useWithCorrection", "mayGateAlone"]
    """Grade of the judge."""
    sentence: str
    """The grade in words."""
    loss: JudgeCalibrationJudgeLoss | None
    """How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds."""
    sensitivity: Estimate
    specificity: Estimate
    assumption: str
    """Assumption of these figures."""
    num_labels: int
    """Number of labels that they rest on."""
    labels_by: JudgeCalibrationJudgeLabelsBy
    """Numbers of labelled records by the makers of the labels."""
    labelled_at: str | None
    """When the newest label was given; null without labels."""
    calibrated_config_id: str
    """Configuration whose labels these are: this one, or an earlier one with the same hash."""
    drift: JudgePassportPayloadDrift | None
    """The newest finished drift trial of this configuration; null without one."""
    battery: JudgePassportPayloadBattery | None
    """The newest battery of this configuration, or of one with the same hash; null without one."""
    battery_trial_number: int | None
    """Number of the trial of the battery; null without one."""
    battery_counts: bool
    """Whether the battery is clear, complete, not too old, and of the models that answer now: what `requireCalibrated: { battery: true }` asks for."""
    battery_reason: str | None
    """Why it does not count, and what to do; null if it does."""
    model: JudgePassportPayloadModel
    """The model of the judge."""
    issued_at: str
    """When it was issued."""
    expires_at: str
    """When it expires."""
    expiry_reason: str
    """Why then."""


class JudgePassportPayloadDrift(Answer):
    """JudgePassportPayloadDrift."""

    trial_number: int
    """Number of the trial."""
    verdict: Literal["drifted", "no drift seen"]
    """Its conclusion."""
    sentence: str
    """The conclusion in words."""
    created_at: str
    """When it was started."""


class JudgePassportPayloadBattery(Answer):
    """What a battery found. It is kept when its runs are deleted and when other records are pinned."""

    verdict: Literal["clear", "biased", "cannot tell"]
    """`biased`: some bias is shown. `cannot tell`: none is shown, and some edit is not clear. `clear`: each edit is clear or does not apply, and no self-preference is shown."""
    sentence: str
    """The verdict in words."""
    complete: bool
    """Whether all biases were asked for."""
    margin: float
    """Largest difference that counts as none."""
    level: float
    """Confidence level of the intervals."""
    num_records: int
    """Number of pinned records."""
    metric_hash: str
    """SHA-256 of the tested configuration: its prompt, models, guidelines, criteria and threshold."""
    eval_model_name: str | None
    """Model that judges."""
    served_model_names: list[str]
    """Models that answered, as named by their provider."""
    cost_usd: float | None
    """Cost of its verdicts in US dollars; null if one is unknown."""
    biases: list[JudgePassportPayloadBatteryBiasesItem]
    """Each bias that was asked for, with what was found."""
    decided_at: str
    """When its last verdict was in."""


class JudgePassportPayloadBatteryBiasesItem(Answer):
    """JudgePassportPayloadBatteryBiasesItem."""

    bias: Literal["padding", "order", "author", "authority", "format", "language", "selfPreference"]
    """The edit, or `selfPreference`: whether the judge passes outputs of its own model more often than those of others that people judge alike."""
    verdict: Literal["clear", "biased", "cannot tell", "not applicable"]
    """`not applicable`: the labelled records cannot show it; `sentence` says why."""
    n: int
    """Number of records that it was tested on."""
    num_flips: float | None
    """Number of edited records whose verdict changed; null for selfPreference."""
    num_placebo_flips: float | None
    """Number of them whose verdict changed without the edit; null for selfPreference."""
    difference: float | None
    """Share of flips minus share of placebo flips. For selfPreference: pass rate of own outputs minus that of others, at equal labels."""
    interval: Interval | None
    """Its interval."""
    adjusted_p: float | None
    """p of no difference, adjusted by Holm for all biases of the battery."""
    num_more_records: float | None
    """Number of further records that would decide it; null if that is not known."""
    minimum_detectable: float | None
    """Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any, and for selfPreference."""
    sentence: str
    """The verdict in words."""


class JudgePassportPayloadModel(Answer):
    """The model of the judge."""

    name: str | None
    """Model that judges."""
    served_lately: list[str]
    """Models that answered lately, as named by their provider."""
    ends_on: str | None
    """Day on which the provider shuts it down; null if it announces none."""


class JudgePassportSignature(Answer):
    """Signature of the payload."""

    algorithm: Literal["Ed25519"]
    """Algorithm (RFC 8032)."""
    key_id: str
    """Name of the key: the beginning of the SHA-256 of its DER form."""
    value: str
    """Signature of the format, a line break, and the payload as JSON with sorted keys (RFC 8785), in base64."""


class PassportKey(Answer):
    """The public key that checks passports."""

    key_id: str
    """Name of the key."""
    algorithm: Literal["Ed25519"]
    """Algorithm."""
    public_key_pem: str
    """The public key, as PEM."""


class News(Answer):
    """What happened in a project lately."""

    since: str
    """Beginning of the time, a whole hour."""
    runs: list[NewsRunsItem]
    """Evaluations that were started, newest first; at most 5."""
    changes: list[NewsChangesItem]
    """Changes of the traffic against the 6 days before. Only those that are shown: their interval leaves out 0."""
    alerts: list[NewsAlertsItem]
    """What alerts told, newest first, without completed runs; at most 10."""
    monitors: list[NewsMonitorsItem]
    """Failures in the records of monitors, most first; at most 10."""
    labels: list[NewsLabelsItem]
    """Records that other members scored, most first; at most 10."""


class NewsRunsItem(Answer):
    """NewsRunsItem."""

    run_id: str
    """Id of the run."""
    title: str
    """Title of the run."""
    status: str
    """Status of the run."""
    num_records: int
    """Number of records."""
    baseline_run_id: str | None
    """Id of the run before it on the same testset; null without one."""
    compared: list[NewsRunsItemComparedItem] | None
    """The metrics that both runs have. Null: not compared, because there is no earlier run, both have more than 2,000 records together, or three newer runs are compared."""


class NewsRunsItemComparedItem(Answer):
    """NewsRunsItemComparedItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    judge: str | None
    """How far its judge can be trusted, in a few words; null unless a model judges."""
    verdict: Literal["better", "worse", "cannot tell"]
    """Verdict of `compareRuns`, as it concludes."""
    difference: float | None
    """Difference from the earlier run."""
    interval: Interval | None
    """Interval of the difference."""


class NewsChangesItem(Answer):
    """NewsChangesItem."""

    of: Literal["passRate", "errors", "cost"]
    """What changed in the traffic. passRate: the pass rate of a metric. errors: the share of records with an error. cost: the mean cost of a record in US dollars."""
    metric_id: str | None
    """passRate: id of the metric."""
    metric_name: str | None
    """passRate: name of the metric."""
    judge: str | None
    """How far its judge can be trusted, in a few words; null unless a model judges."""
    num_before: int
    """Number of records before."""
    num_after: int
    """Number of records since."""
    before: float
    """Value before."""
    after: float
    """Value since."""
    difference: float
    """Difference of the values."""
    interval: Interval
    level: float
    """Confidence level of the interval: all changes of an answer hold together at 95 %."""


class NewsAlertsItem(Answer):
    """NewsAlertsItem."""

    alert_id: str
    """Id of the alert."""
    alert_name: str
    """Name of the alert."""
    event: str
    """The event."""
    title: str
    """What happened."""
    path: str | None
    """Page of what it is about."""
    at: str
    """When it was noted."""


class NewsMonitorsItem(Answer):
    """NewsMonitorsItem."""

    monitor_id: str
    """Id of the monitor."""
    monitor_name: str
    """Name of the monitor."""
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    judge: str | None
    """How far its judge can be trusted, in a few words; null unless a model judges."""
    unit: Literal["record", "span"]
    """What the numbers count."""
    num_scored: int
    """Number of scored records, or of their spans."""
    num_failed: int
    """Number of those that did not pass."""


class NewsLabelsItem(Answer):
    """NewsLabelsItem."""

    user_id: str
    """Id of the member."""
    user_name: str
    """Name of the member."""
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    num_records: int
    """Number of records that the member scored."""


class Plan(Answer):
    """How many testcases a comparison needs, or how small a difference it can detect."""

    metric_id: str
    """Id of the metric."""
    measure: str
    """What is compared for int and float metrics."""
    difference: float | None
    """Difference to detect."""
    method: str
    """Formula of the plan."""
    n: int
    """Number of testcases of the coming run."""
    level: float
    """Confidence level."""
    power: float
    """Power of the comparison."""
    trials: int
    """Trials of each testcase."""
    tests: int
    """Number of tests that are read together."""
    baseline_runs: int
    """Runs of the baseline, whose scores count as trials of one."""
    looks: list[int]
    """Numbers of testcases of the planned looks at n; compareRuns takes them as `looks`."""
    minimum_detectable: float | None
    """Smallest difference that n testcases can detect; null if it cannot be computed."""
    num_needed: float | None
    """Testcases needed to detect `difference`; null without one."""
    needed_looks: list[int] | None
    """The looks at as many; null without `difference`."""
    groups: PlanGroups | None
    """Groups of the coming run: those of its testset, else of the earlier run. Null if testcases are independent."""
    assumption: str
    """Assumption of the plan."""
    reason: str | None
    """Why there is no answer."""
    labels: PlanLabels | None
    """Effect of further labels on a comparison corrected for the judge's errors; null without a model that judges, or without labels of two runs."""
    basis: PlanBasis | None
    """The earlier run that the plan is based on."""
    correlation: PlanCorrelation
    """Correlation of the expected scores of both systems over testcases, without the noise of trials."""
    criteria: PlanCriteria | None
    """What the criteria of the metric detect together, and what one of them would alone. A loss that all criteria have is the same loss of the share."""


class PlanGroups(Answer):
    """PlanGroups."""

    size: float
    """Testcases of a group; of unequal groups, Σm²/Σm of groups of m testcases."""
    design_effect: float
    """How many times more the difference varies than that of independent testcases."""
    num_needed: float | None
    """Groups needed to detect `difference`; null without one."""


class PlanLabels(Answer):
    """PlanLabels."""

    before: str
    """Id of the earlier run."""
    after: str
    """Id of the newest run."""
    labelled: PlanLabelsLabelled
    """Number of labelled testcases."""
    interval: Interval | None
    """Interval of their difference, corrected for the judge's errors."""
    num_labels_to_halve: float | None
    """Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not."""
    more_labels: str | None
    """The same in words."""


class PlanLabelsLabelled(Answer):
    """Number of labelled testcases."""

    before: int
    """Labels in the earlier run."""
    after: int
    """Labels in the newest run."""
    both: int
    """Testcases with a label in both."""


class PlanBasis(Answer):
    """PlanBasis."""

    run_id: str
    """Id of the run."""
    method: str
    """How its variances were estimated."""
    n: int
    """Number of its testcases."""
    between: float | None
    """Variance of the expected scores between testcases."""
    within: float | None
    """Variance of the scores within a testcase; null if no testcase has two trials."""
    reason: str | None
    """Why a variance is unknown."""


class PlanCorrelation(Answer):
    """Correlation of the expected scores of both systems over testcases, without the noise of trials."""

    value: float
    """Correlation."""
    source: str
    """The two runs that it was measured on, or a note that it is assumed."""
    n: int
    """Number of testcases that these runs share."""


class PlanCriteria(Answer):
    """What the criteria of the metric detect together, and what one of them would alone. A loss that all criteria have is the same loss of the share."""

    num_criteria: int
    """Number of criteria with verdicts in the earlier runs."""
    share: PlanCriteriaShare
    """The mean share of the criteria that are met."""
    alone: PlanCriteriaAlone
    """One criterion alone: the median over at most 30 of them."""


class PlanCriteriaShare(Answer):
    """The mean share of the criteria that are met."""

    minimum_detectable: float | None
    """Smallest difference that shows; null if unknown."""
    num_needed: float | None
    """Testcases that `difference` needs; null without it, or if unknown."""


class PlanCriteriaAlone(Answer):
    """One criterion alone: the median over at most 30 of them."""

    minimum_detectable: float | None
    """Smallest difference that shows; null if unknown."""
    num_needed: float | None
    """Testcases that `difference` needs; null without it, or if unknown."""


class ReportLinks(Answer):
    """The links to reports of a project."""

    data: list[ReportLink]
    """Links that have not ended, newest first."""
    allowed: bool
    """Whether the admins of the organization allow such links."""


class ReportLink(Answer):
    """A link that shows a report without an account, without its secret part."""

    id: str
    """Id of the link."""
    project_id: str
    """Id of the project."""
    name: str
    """For whom or for what the link is."""
    runs: list[str]
    """The compared runs of the project, 2 to 8 ids, the baseline first."""
    measure: Literal["pass", "score"]
    """What is compared: pass rates or mean scores."""
    user_id: str
    """Who made it. The link ends when they can no longer read the project."""
    num_uses: int
    """How often it was used."""
    last_used_at: str | None
    """When it was last used; null if never."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""


class ReportLinkCreated(Answer):
    """A new link to a report."""

    id: str
    """Id of the link."""
    project_id: str
    """Id of the project."""
    name: str
    """For whom or for what the link is."""
    runs: list[str]
    """The compared runs of the project, 2 to 8 ids, the baseline first."""
    measure: Literal["pass", "score"]
    """What is compared: pass rates or mean scores."""
    user_id: str
    """Who made it. The link ends when they can no longer read the project."""
    num_uses: int
    """How often it was used."""
    last_used_at: str | None
    """When it was last used; null if never."""
    created_at: str
    """When it was made."""
    expires_at: str
    """When it ends."""
    url: str
    """The link itself. It is shown only here; the service stores a hash."""


class Series(Answer):
    """Latency, tokens, cost and scores of the records of a project over time. A record counts at its creation."""

    start: str
    """Start of the first bucket."""
    end: str
    """End of the series."""
    bucket: Literal["hour", "day", "week"]
    """Length of a bucket."""
    level: float
    """Confidence level."""
    counted_until: str | None
    """Changes after this time may be missing; null if everything is counted. Hours with many records are counted every few minutes."""
    num_uncounted_hours: int
    """Number of hours whose records are not in the series yet, for example after an upgrade."""
    metrics: list[SeriesMetricsItem]
    """Configurations that gave scores, by name of the metric, newest first."""
    groups: list[SeriesGroupsItem]
    """The groups with most records, at most 8; one without `by`."""
    num_other_groups: int
    """Number of groups that are left out."""
    changes: list[SeriesChange] | None
    """Only with `compare`. Changes of pass rates."""


class SeriesMetricsItem(Answer):
    """SeriesMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    eval_type: Literal["ai", "human", "heuristic"]
    """Who scores."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    metric_config_id: str
    """Configuration."""
    current: bool
    """Whether it is the current configuration."""
    labels: Labels | None
    unit: Literal["record", "span"]
    """What its rates and means count. Its `states` count records."""


class Labels(Answer):
    """The labels that a category metric gives, and which of them pass."""

    passing: list[str]
    """The labels that pass: at least one, and not all."""
    ordered: bool
    """Whether the labels go from worst to best. Default: false."""


class SeriesGroupsItem(Answer):
    """SeriesGroupsItem."""

    value: str | None
    """The model, the id of the version, or the tag; null for records without one, or without `by`."""
    label: str
    """The value to show: for a version, its system and name."""
    total: SeriesPoint
    points: list[SeriesPoint]
    """Buckets that have records, oldest first."""


class SeriesPoint(Answer):
    """The records of a bucket."""

    start: str
    """Start of the bucket."""
    num_records: int
    """Number of records that were created in the bucket."""
    errors: SeriesValue
    latency: SeriesPointLatency
    """Percentiles of the latency in milliseconds, with an error of at most 2 %."""
    tokens: SeriesPointTokens
    """Tokens."""
    cost: SeriesPointCost
    """Cost of the system, without judges."""
    scores: list[SeriesPointScoresItem]
    """Scores by configuration."""


class SeriesValue(Answer):
    """A value over the records of a bucket, with its uncertainty."""

    n: int
    """Number of records that it rests on; of spans for a metric with the `unit` span."""
    estimate: float | None
    """The value; null without records."""
    interval: Interval | None
    """Its confidence interval; null with too few records."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""


class SeriesPointLatency(Answer):
    """Percentiles of the latency in milliseconds, with an error of at most 2 %."""

    p50: SeriesValue
    p95: SeriesValue
    p99: SeriesValue


class SeriesPointTokens(Answer):
    """Tokens."""

    input: float
    """Sum of the input tokens."""
    output: float
    """Sum of the output tokens."""
    mean: SeriesValue


class SeriesPointCost(Answer):
    """Cost of the system, without judges."""

    sum: float
    """Sum in US dollars."""
    mean: SeriesValue


class SeriesPointScoresItem(Answer):
    """SeriesPointScoresItem."""

    metric_config_id: str
    """Configuration of the metric."""
    states: SeriesPointScoresItemStates
    """Number of records by the state of their score. A failed judge does not count as a no."""
    pass_rate: SeriesValue
    mean: SeriesValue | None
    """Mean score, of records or spans as in `passRate`; null for a boolean and for a category."""
    labels: list[SeriesPointScoresItemLabelsItem] | None
    """Only for a category: the labels that were given most in the whole answer, at most 20, in the order of the metric."""


class SeriesPointScoresItemStates(Answer):
    """Number of records by the state of their score. A failed judge does not count as a no."""

    scored: int
    """Valid scores."""
    pending: int
    """Pending scores."""
    unscored: int
    """Scores that could not be given or do not fit the metric."""
    failed: int
    """Scores whose judge failed."""


class SeriesPointScoresItemLabelsItem(Answer):
    """SeriesPointScoresItemLabelsItem."""

    label: str
    """The label."""
    num_scores: int
    """Number of scores with it."""
    share: SeriesValue


class SeriesChange(Answer):
    """A change of a pass rate, with its test."""

    metric_config_id: str
    """Configuration of the metric."""
    group: str | None
    """The group that both buckets are of; null with `compare=groups`."""
    to: str
    """The later bucket, or the other group."""
    before: float | None
    """Pass rate in `from`."""
    after: float | None
    """Pass rate in `to`."""
    num_before: int
    """Number of scores in `from`: of records, or of spans."""
    num_after: int
    """Number of scores in `to`."""
    difference: float | None
    """`after` − `before`."""
    interval: Interval | None
    """Its confidence interval, with each user as one unit, and for spans each record without a user."""
    simultaneous_interval: Interval | None
    """Interval at `simultaneousLevel` (Bonferroni). Those of all changes of this answer hold together at `level`."""
    simultaneous_level: float
    """1 − (1 − `level`) divided by `tests`."""
    p: float | None
    """Two-sided p of no change."""
    adjusted_p: float | None
    """p adjusted by Holm over all changes of this answer. The verdict rests on it."""
    tests: int
    """Number of changes that were tested together."""
    verdict: Literal["better", "worse", "cannot tell"]
    """Verdict on `to`."""
    sentence: str
    """The verdict in words."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""


class Trends(Answer):
    """Each metric over the latest runs. Overlapping intervals do not compare runs; use compareRuns for that."""

    level: float
    """Confidence level."""
    num_runs: int
    """Number of runs considered."""
    num_unweighted: int | None
    """Only with weights. Number of runs without points, because their testcases have no such field or too few testcases of a value."""
    metrics: list[TrendsMetricsItem]
    """One entry for each metric with scores in these runs."""
    runs: list[TrendsRunsItem] | None
    """Only with `judges`. The runs, oldest first, with what people were asked."""


class TrendsMetricsItem(Answer):
    """TrendsMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    points: list[TrendsMetricsItemPointsItem]
    """One point for each run and configuration, oldest first."""


class TrendsMetricsItemPointsItem(Answer):
    """TrendsMetricsItemPointsItem."""

    run_id: str
    """Id of the run."""
    created_at: str
    """When it was started."""
    testset_id: str | None
    """Testset of the run. Runs of different testsets do not form one trend."""
    system_version_id: str | None
    """Version of the system under test."""
    metric_config_id: str
    """Configuration that gave the scores."""
    grouped_by: str | None
    """Grouping field of the testset, whose groups the intervals are based on."""
    states: SeriesPointScoresItemStates
    """Number of records by the state of their score. A failed judge does not count as a no."""
    pass_rate: Estimate
    mean: Estimate | None
    """Mean score; null for a boolean and for a category."""
    labels: TrendsMetricsItemPointsItemLabels | None
    """Only for a category: how often each label was given."""
    anchored: AnchoredRate | None
    """The pass rate anchored to the judge that succeeded this one; null without a successor."""
    change: SplitChange | None
    """Change since the previous point of the same testset, if another judge gave that point and a trial leads from that judge to this one; else null."""
    cost: TrendsMetricsItemPointsItemCost | None
    """Cost of the judge; null unless a model judges."""
    judge: JudgeOfRun | None
    """Only with `judges`. The judge of the run; null unless a model judges."""


class TrendsMetricsItemPointsItemLabels(Answer):
    """Only for a category: how often each label was given."""

    ordered: bool
    """Whether the labels go from worst to best."""
    shares: list[TrendsMetricsItemPointsItemLabelsSharesItem]
    """One entry for each label, in the order of the metric."""


class TrendsMetricsItemPointsItemLabelsSharesItem(Answer):
    """TrendsMetricsItemPointsItemLabelsSharesItem."""

    label: str
    """The label."""
    passes: bool
    """Whether it passes."""
    num_scores: int
    """Number of scores with it."""
    share: Estimate


class AnchoredRate(Answer):
    """A pass rate, anchored to a later judge by the trial that adopted it."""

    metric_config_id: str
    """Configuration of the judge that the rate is anchored to."""
    estimate: float
    """Estimate of the rate that this judge would have given."""
    standard_error: float
    """Standard error, including that of the switch."""
    interval: Interval
    shift: AnchoredRateShift
    """Amount that the switch adds to the rate."""


class AnchoredRateShift(Answer):
    """Amount that the switch adds to the rate."""

    estimate: float
    """The estimate."""
    standard_error: float
    """Standard error, including that of the switch."""
    interval: Interval


class SplitChange(Answer):
    """A change of a pass rate across a switch of judges. The parts add up to it."""

    total: float
    """Change of the pass rate."""
    system: SplitChangeSystem
    """The system's part: what one judge would have seen."""
    judge: SplitChangeJudge
    """The judge's part: what the switch changes about the first run."""
    sentence: str
    """Both parts in words."""


class SplitChangeSystem(Answer):
    """The system's part: what one judge would have seen."""

    estimate: float
    """The estimate."""
    standard_error: float
    """Standard error, including that of the switch."""
    interval: Interval


class SplitChangeJudge(Answer):
    """The judge's part: what the switch changes about the first run."""

    estimate: float
    """The estimate."""
    standard_error: float
    """Standard error, including that of the switch."""
    interval: Interval


class TrendsMetricsItemPointsItemCost(Answer):
    """Total cost of the judge, including failed attempts and replaced scores."""

    cost_usd: float | None
    """Cost in US dollars; null if no cost is known."""
    input_tokens: float | None
    """Tokens sent."""
    output_tokens: float | None
    """Tokens received."""
    priced: int
    """Number of scores whose cost is known; `costUsd` is their sum."""


class JudgeOfRun(Answer):
    """How well the judge of a run is calibrated, and the pass rate of the run without its errors."""

    metric_config_id: str
    """Configuration of the judge."""
    people_metric_id: str | None
    """Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind."""
    labelled_at: str | None
    """When the newest label was given; null without labels."""
    labels_by: JudgeCalibrationJudgeLabelsBy
    """Numbers of labelled records by the makers of the labels."""
    grade: Literal["unusable", "useWithCorrection", "mayGateAlone"]
    """`unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points."""
    loss: JudgeCalibrationJudgeLoss | None
    """How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds."""
    state: Literal["notCalibrated", "tooFewLabels", "noBetterThanChance", "calibrated"]
    """`notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0."""
    num_labels: int
    """Number of labelled records that the judge decided."""
    abstained: int
    """Number of labelled records without a verdict of the judge."""
    sensitivity: Estimate
    specificity: Estimate
    youden: JudgeCalibrationJudgeYouden | None
    """Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds."""
    sentence: str
    """The same in words."""
    trust: str
    """The grade and the doubts in a few words, for a badge beside each rate of the judge."""
    doubts: list[JudgeCalibrationJudgeDoubtsItem]
    """What keeps the judge from being trusted as its grade says; `sentence` names them too."""
    corrected_rate: JudgeCalibrationCorrectedRate | None
    """Pass rate of the run as people would judge it: by the labels of the run if they suffice, else by the judge's error rates. Null without scores of a human metric."""


class TrendsRunsItem(Answer):
    """TrendsRunsItem."""

    run_id: str
    """Id of the run."""
    metric_ids: list[str]
    """Metrics that the run was started with."""
    num_records: int
    """Number of records."""
    samples: list[TrendsRunsItemSamplesItem]
    """Random samples for people to score, oldest first."""


class TrendsRunsItemSamplesItem(Answer):
    """TrendsRunsItemSamplesItem."""

    metric_id: str
    """Human metric whose queue the sample fills."""
    num_drawn: int
    """Number of records in the sample."""


class SharedReport(Answer):
    """A report as its link shows it."""

    name: str
    """For whom or for what the link is."""
    project_name: str
    """Name of the project."""
    expires_at: str
    """When the link ends."""
    runs: list[str]
    """The compared runs of the project, 2 to 8 ids, the baseline first."""
    measure: Literal["pass", "score"]
    """What is compared: pass rates or mean scores."""
    looks: list[int] | None
    """Planned looks, as in the comparison of runs."""
    weight_by: str | None
    """Weights of testcases, as in the comparison."""
    shares: str | None
    """Shares of strata, as in the comparison."""
    pooled: list[str] | None
    """More runs of the baseline by id, as in the comparison."""
    details: list[SharedReportDetailsItem]
    """The compared runs."""
    comparison: RunComparison


class SharedReportDetailsItem(Answer):
    """SharedReportDetailsItem."""

    id: str
    """Id of the run."""
    name: str | None
    """Its name; null without one."""
    title: str
    """Its name, or what it is of."""
    notes_start: str | None
    """The start of its notes; null without any."""
    num_records: int
    """Number of its records."""
    created_at: str
    """When it was started."""


class RunComparison(Answer):
    """Comparison of runs on the testcases that both have in the same revision."""

    runs: list[RunComparisonRunsItem]
    """The runs in the order of the request."""
    level: float
    """Confidence level."""
    power: float
    """Power of the minimum detectable differences."""
    seed: float
    """Seed of random draws."""
    measure: str
    """What is compared for int and float metrics."""
    test: str
    """Test of paired runs: `fixed`, `sequential` or `planned`."""
    looks: list[int] | None
    """Only with `test=planned`. Numbers of testcases of the looks."""
    slice: RunComparisonSlice | None
    """Slice that is compared; null for all records. The adjustment does not cover tests of other slices."""
    pooled: list[str] | None
    """Only with `pooled`. Runs whose scores count as further trials of the first run."""
    weighted_by: WeightedBy | None
    num_criteria_left_out: int | None
    """Only with `criteriaOf`. Number of further criteria: at most 1,000 are in the answer, first those of the metric, then those of testcases with the most verdicts."""
    tests: int
    """Number of tests that Holm's adjustment covers."""
    winners: list[Winner] | None
    """Only with three runs or more, and without weights. The best run of each metric, corrected for the choice."""
    pairs: list[RunComparisonPairsItem]
    """Each run paired with each later run of the list, or only the first run with each other."""


class RunComparisonRunsItem(Answer):
    """RunComparisonRunsItem."""

    run_id: str
    """Id of the run."""
    testset: RunComparisonRunsItemTestset | None
    """Testset of the run; null without one."""
    snapshot: RunComparisonRunsItemSnapshot | None
    """The testcases of the testset when the run started; null without a testset."""
    split: str | None
    """Split of the testset that the run is about; null for all of it."""
    system_id: str | None
    """System under test."""
    system_version_id: str | None
    """Version of the system under test."""
    num_records: int
    """Number of records of the run; with `by`, of the slice."""
    grouped_by: str | None
    """Grouping field of the testset, if any. The test then compares groups."""


class RunComparisonRunsItemTestset(Answer):
    """RunComparisonRunsItemTestset."""

    id: str
    """Id of the testset."""
    name: str
    """Name of the testset."""
    field_mapping: RunComparisonRunsItemTestsetFieldMapping
    """Meaning of the top-level fields of a testcase."""


class RunComparisonRunsItemTestsetFieldMapping(Answer):
    """Meaning of the top-level fields of a testcase."""

    inputs: list[str]
    """Fields of jsonData that the system gets."""
    expected: list[str]
    """Fields of jsonData with the expected output."""
    metadata: list[str]
    """Fields of jsonData that only describe the testcase."""


class RunComparisonRunsItemSnapshot(Answer):
    """RunComparisonRunsItemSnapshot."""

    number: int
    """Number of the snapshot, within its testset."""
    hash: str
    """SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed)."""
    name: str
    """Name of the snapshot; empty without one."""


class RunComparisonSlice(Answer):
    """RunComparisonSlice."""

    by: str
    """Criterion of the slice."""
    value: str
    """Its tag, or value of the field."""


class WeightedBy(Answer):
    """What the numbers of an answer are weighted by. Counts of records and testcases are not weighted."""

    field: str
    """Field of the testcase."""
    shares: list[WeightedBySharesItem] | None
    """Shares of the values; null if the field is the weight."""
    num_testcases: int
    """Number of testcases with a weight."""
    num_left_out: int
    """Number of testcases that are left out, because they have no weight or share."""
    sentence: str
    """The weighting in words."""


class WeightedBySharesItem(Answer):
    """WeightedBySharesItem."""

    value: str
    """Value of the field."""
    share: float
    """Its share of the traffic."""
    num_testcases: int
    """Number of testcases with this value."""


class Winner(Answer):
    """The best of several runs, corrected for the choice."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    run_id: str
    """Id of the run that looks best."""
    num_tries: int
    """Number of runs among which it is the best: those of this answer, and up to 20 newer or older runs of the testset that scored the same testcases."""
    n: int
    """Number of testcases that all of them share."""
    mean: float
    """Its observed mean, which is too high on average because the best run was chosen."""
    estimate: float
    """Its mean, corrected for the choice (median-unbiased)."""
    interval: Interval
    sentence: str
    """The result in words."""


class RunComparisonPairsItem(Answer):
    """RunComparisonPairsItem."""

    before: str
    """Id of the baseline run."""
    after: str
    """Id of the run compared with it."""
    testcases: RunComparisonPairsItemTestcases | None
    """What differs between the testcases with which the runs started; null unless both have a snapshot of one testset. Only testcases that both runs have unchanged are compared."""
    metrics: list[RunComparisonPairsItemMetricsItem]
    """Results of the metrics that both runs have."""
    not_compared: list[RunComparisonPairsItemNotComparedItem]
    """Metrics that were not compared."""
    usage: UsageRises | None


class RunComparisonPairsItemTestcases(Answer):
    """RunComparisonPairsItemTestcases."""

    same: bool
    """Whether both runs are about the same testcases."""
    num_added: int
    """Testcases that only the snapshot of the second run has."""
    num_changed: int
    """Testcases that both have, with different texts."""
    num_removed: int
    """Testcases that only the snapshot of the first run has."""
    sentence: str
    """The same in words."""


class RunComparisonPairsItemMetricsItem(Answer):
    """RunComparisonPairsItemMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    eval_type: Literal["ai", "human", "heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not."""
    metric_config_ids: RunComparisonPairsItemMetricsItemMetricConfigIds
    """Configurations that gave the scores."""
    method: str
    """Method of interval and test."""
    n: int
    """Number of testcases compared; without pairs, those of both runs together."""
    paired: bool
    """Whether the runs share testcases; without any, all testcases are compared unpaired."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size."""
    level: float
    """Confidence level."""
    power: float
    """Power of the minimum detectable difference."""
    seed: float | None
    """Seed of the random signs; null if none were drawn."""
    before: float | None
    """Mean of the first run."""
    after: float | None
    """Mean of the second run."""
    difference: float | None
    """Second run minus first run."""
    standard_error: float | None
    """Standard error of the difference."""
    interval: Interval | None
    """Interval of the difference; null with too little data."""
    simultaneous_interval: Interval | None
    """Interval of the difference at `simultaneousLevel` (Bonferroni). Those of all tests of this answer hold together at `level`, as the verdicts do."""
    simultaneous_level: float
    """Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests."""
    verdict_interval: Interval | None
    """Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0."""
    verdict_level: float
    """Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0."""
    reason: str | None
    """Why there is no interval."""
    p: float | None
    """Two-sided p of the test that belongs to the interval."""
    adjusted_p: float | None
    """p adjusted by Holm over all tests of this answer. The verdict rests on it. With `test=planned` also for the looks: p times α/nominal at its step of Holm."""
    mcnemar: RunComparisonPairsItemMetricsItemMcnemar | None
    """McNemar's test, for booleans with one trial."""
    effect_sizes: RunComparisonPairsItemMetricsItemEffectSizes
    """Sizes of the difference that compare across metrics and studies."""
    watched: RunComparisonPairsItemMetricsItemWatched | None
    """Evidence of the sequential test; null for other tests, groups and unpaired runs."""
    look: RunComparisonPairsItemMetricsItemLook | None
    """Only with `test=planned`. This look at the runs."""
    missing: RunComparisonPairsItemMetricsItemMissing | None
    """Possible effect of missing scores; null if none is missing, if the runs share no testcase, and before the last of planned looks."""
    num_baseline_testcases: int
    """Testcases of the first run, compared or not."""
    wins: int
    """Number of testcases that are better in the second run."""
    losses: int
    """Number of testcases that are worse."""
    ties: int
    """Number of testcases that are the same."""
    correlation: float | None
    """Correlation between the runs over testcases. The higher it is, the more pairing helps."""
    unpaired_interval: Interval | None
    """Interval without pairing."""
    minimum_detectable: float | None
    """Smallest true difference that such a comparison detects with this power."""
    verdict: Literal["better", "worse", "cannot tell"]
    """Verdict on the second run; a difference needs both interval and test."""
    sentence: str
    """The verdict in words."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    labels: RunComparisonPairsItemMetricsItemLabels | None
    """Only for a category: its labels in both runs. Trials are averaged, and testcases of a group count as one unit."""
    judge: RunComparisonPairsItemMetricsItemJudge | None
    """How well the judges of both runs are calibrated; null unless a model judges."""
    corrected: RunComparisonPairsItemMetricsItemCorrected | None
    """The difference as people would judge it; null unless a model judges, or if people's scores are of another kind."""
    conclusion: RunComparisonPairsItemMetricsItemConclusion
    """The verdict to act on: what people would say, where that is known."""
    split: SplitChange | None
    """The difference, split into the part of the system and that of the judge; null unless a trial leads from the judge of one run to that of the other, and pass rates are compared."""
    dropped: RunComparisonPairsItemMetricsItemDropped
    """Testcases that were not compared, by reason."""
    slices: SliceLosses | None
    worst: list[ChangedTestcase] | None
    """Only with `worst`, in the pairs of the first run. The testcases that lost most, with their records: those of the first 4 MB in the answer."""


class RunComparisonPairsItemMetricsItemMetricConfigIds(Answer):
    """Configurations that gave the scores."""

    before: str
    """Configuration in the first run."""
    after: str
    """Configuration in the second run."""


class RunComparisonPairsItemMetricsItemMcnemar(Answer):
    """RunComparisonPairsItemMetricsItemMcnemar."""

    exact: float
    """Exact p."""
    mid_p: float
    """Mid-p."""


class RunComparisonPairsItemMetricsItemEffectSizes(Answer):
    """Sizes of the difference that compare across metrics and studies."""

    risk_difference: float | None
    """Difference of the pass rates; null for scores."""
    odds_ratio: RunComparisonPairsItemMetricsItemEffectSizesOddsRatio | None
    """Odds ratio; null for scores, averaged trials and groups."""
    cohens_h: float | None
    """Cohen's h of the pass rates: 0.2 is small, 0.5 medium, 0.8 large."""
    cohens_h_interval: Interval | None
    """Interval of Cohen's h: that of the difference on its scale."""
    cohens_d: float | None
    """Cohen's d of the mean scores, in standard deviations of a testcase."""
    cohens_d_interval: Interval | None
    """Interval of Cohen's d at `level`; null without spread."""


class RunComparisonPairsItemMetricsItemEffectSizesOddsRatio(Answer):
    """RunComparisonPairsItemMetricsItemEffectSizesOddsRatio."""

    estimate: float | None
    """Odds of passing, second run to first run; null if infinite."""
    low: float
    """Lower end of its interval."""
    high: float | None
    """Upper end of its interval; null if it has none."""
    method: str
    """Method of the odds ratio."""


class RunComparisonPairsItemMetricsItemWatched(Answer):
    """RunComparisonPairsItemMetricsItemWatched."""

    e_value: float
    """e-value: evidence against equal systems; 1 is no evidence."""
    needed_evidence: float
    """Evidence that decides the test among all tests of this answer: 1/(1 − simultaneousLevel)."""
    num_until_decided: float | None
    """Number of testcases, in their order, after which the evidence was reached; null if it was not."""
    num_for_fixed_test: float | None
    """Testcases that a single test at the end needs to detect the observed difference with `power`; null if the difference is 0."""


class RunComparisonPairsItemMetricsItemLook(Answer):
    """Only with `test=planned`. This look at the runs."""

    look: int
    """Place of this look in the plan, from 1; 0 before the first. Between two looks it is the earlier one."""
    num_looks: int
    """Number of looks of the plan."""
    num_seen: int
    """Testcases with scores in both runs, and with all trials in the later run. The look uses the first ones, in the order of the later run."""
    num_planned: int
    """Testcases of the last look."""
    next: int | None
    """Testcases of the next look; null after the last, and if the rest of the run was cancelled."""
    fraction: float
    """Information fraction: share of the planned testcases that this look uses."""
    boundary: float | None
    """Standardized difference that decides this look, among all tests of this answer; null before the first look."""
    nominal: float | None
    """Two-sided p of a single test at this boundary; null before the first look."""
    boundary_alone: float | None
    """The boundary at `level` if this were the only test of the answer, for a reader who adjusts for several tests; null before the first look."""
    nominal_alone: float | None
    """Two-sided p of a single test at `boundaryAlone`."""
    conditional_power: float | None
    """Chance that the last look decides, given what this look sees, if the true difference is one that a single test at the end detects with `power`; null before the first look and at the last."""
    futile: bool
    """Whether this chance is below 10 %. Advice that does not bind: the error rate holds whether you stop or go on."""


class RunComparisonPairsItemMetricsItemMissing(Answer):
    """RunComparisonPairsItemMetricsItemMissing."""

    num_missing: int
    """Testcases of both runs that lack a score in at least one."""
    num_testcases: int
    """Testcases of both runs."""
    range: Interval
    tipping_point: float | None
    """Number of these testcases that would have to go against the verdict to undo it; null without a verdict, or if even all of them cannot."""
    holds: bool | None
    """Whether the verdict holds whatever the missing scores are; null without a verdict."""
    sentence: str
    """The same in words."""


class RunComparisonPairsItemMetricsItemLabels(Answer):
    """Only for a category: its labels in both runs. Trials are averaged, and testcases of a group count as one unit."""

    n: int
    """Number of testcases with a label in both runs."""
    test: Literal["stuart-maxwell", "sign flips"]
    """Test of whether the labels are distributed differently. sign flips: of labels with an order, whether testcases moved up or down."""
    statistic: float | None
    """Its statistic; null without one."""
    df: float | None
    """Its degrees of freedom; null without a statistic."""
    p: float | None
    """Two-sided p, not adjusted for other metrics; null if no testcase changed its label. The verdict is about the pass rate."""
    net_better: float | None
    """Of labels with an order: share of testcases with a better label minus that with a worse one; else null."""
    shares: list[RunComparisonPairsItemMetricsItemLabelsSharesItem]
    """Shares over the testcases with a label in both runs."""
    moves: list[RunComparisonPairsItemMetricsItemLabelsMovesItem]
    """Which labels became which, the 200 with the most testcases first."""
    num_moves_left_out: int
    """Number of further pairs of labels with testcases."""


class RunComparisonPairsItemMetricsItemLabelsSharesItem(Answer):
    """RunComparisonPairsItemMetricsItemLabelsSharesItem."""

    label: str
    """The label."""
    passes: bool
    """Whether it passes, in the second run."""
    before: float
    """Its share in the first run."""
    after: float
    """Its share in the second run."""


class RunComparisonPairsItemMetricsItemLabelsMovesItem(Answer):
    """RunComparisonPairsItemMetricsItemLabelsMovesItem."""

    to: str
    """The label in the second run; the same if it stayed."""
    num_testcases: int
    """Number of testcases with a trial of `from` before and one of `to` after. `listChangedTestcases` lists them."""


class RunComparisonPairsItemMetricsItemJudge(Answer):
    """RunComparisonPairsItemMetricsItemJudge."""

    before: JudgeOfRun
    after: JudgeOfRun
    error_in_interval: bool
    """Whether `interval` includes the judge's errors. Always false: the interval of `corrected` includes them."""
    errors: RunComparisonPairsItemMetricsItemJudgeErrors | None
    """Whether the judge has the same error rates on both runs; null without labels in both."""


class RunComparisonPairsItemMetricsItemJudgeErrors(Answer):
    """Whether the judge has the same error rates on both runs, by the labels of each."""

    sensitivity: RunComparisonPairsItemMetricsItemJudgeErrorsSensitivity
    """Share that the judge passes, among the records that people pass."""
    specificity: RunComparisonPairsItemMetricsItemJudgeErrorsSpecificity
    """Share that the judge fails, among the records that people fail."""
    level: float
    """Confidence level of both tests together."""
    p: float | None
    """Two-sided p of both tests together (Bonferroni); null if neither could be made."""
    verdict: Literal["differs", "cannot tell", "unknown"]
    """`differs`: the judge has different error rates on the two runs, so its errors do not cancel in a difference. `unknown`: too few labels."""
    sentence: str
    """The verdict in words."""


class RunComparisonPairsItemMetricsItemJudgeErrorsSensitivity(Answer):
    """Share that the judge passes, among the records that people pass."""

    before: float | None
    """The rate on the first run; null without labels of this kind."""
    after: float | None
    """The rate on the second run."""
    num_before: int
    """Number of labels of this kind in the first run."""
    num_after: int
    """Number of labels of this kind in the second run."""
    difference: float | None
    """Second run minus first run."""
    interval: Interval | None
    """Its interval, at half of α; null below five labels of this kind in either run."""
    p: float | None
    """Two-sided p of equal rates."""


class RunComparisonPairsItemMetricsItemJudgeErrorsSpecificity(Answer):
    """Share that the judge fails, among the records that people fail."""

    before: float | None
    """The rate on the first run; null without labels of this kind."""
    after: float | None
    """The rate on the second run."""
    num_before: int
    """Number of labels of this kind in the first run."""
    num_after: int
    """Number of labels of this kind in the second run."""
    difference: float | None
    """Second run minus first run."""
    interval: Interval | None
    """Its interval, at half of α; null below five labels of this kind in either run."""
    p: float | None
    """Two-sided p of equal rates."""


class RunComparisonPairsItemMetricsItemCorrected(Answer):
    """RunComparisonPairsItemMetricsItemCorrected."""

    method: str
    """Method of the correction."""
    n: int
    """Testcases that the judge scored in both runs."""
    level: float
    """Confidence level."""
    labelled: RunComparisonPairsItemMetricsItemCorrectedLabelled
    """Number of labelled testcases."""
    disagreements: RunComparisonPairsItemMetricsItemCorrectedDisagreements
    """Labels on which judge and people differ."""
    uncorrected: float | None
    """Difference according to the judge."""
    difference: float | None
    """Difference as people would judge it; null without labels."""
    standard_error: float | None
    """Standard error of the difference."""
    interval: Interval | None
    """Interval of the difference, the judge's errors included."""
    simultaneous_interval: Interval | None
    """Interval at `simultaneousLevel` (Bonferroni). Those of all corrected differences of this answer hold together at `level`."""
    simultaneous_level: float
    """Confidence level of `simultaneousInterval`: 1 − (1 − level)/tests."""
    verdict_interval: Interval | None
    """Interval at `verdictLevel`, the level at which the verdict is decided: with a verdict it does not contain 0."""
    verdict_level: float
    """Confidence level of `verdictInterval`: 1 − (1 − level)·p/adjustedP, the step of Holm's method; `simultaneousLevel` with `test=planned` or a p of 0."""
    p: float | None
    """Two-sided p. If only labels are used, it comes from inverting the interval."""
    adjusted_p: float | None
    """p adjusted by Holm over all corrected differences of this answer. The verdict rests on it."""
    tests: int
    """Number of corrected differences that Holm's adjustment covers."""
    num_labels_to_halve: float | None
    """Number of further testcases to label in both runs that halve the interval; null if labels for all of them do not."""
    more_labels: str | None
    """Effect of further labels, in words."""
    sampled: bool
    """Whether the service drew the labelled records of both runs at random."""
    reason: str | None
    """Why there is no interval."""
    verdict: Literal["better", "worse", "cannot tell"]
    """Verdict on the second run by the corrected difference."""
    sentence: str
    """The verdict in words."""
    assumption: str
    """Assumption of the correction."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class RunComparisonPairsItemMetricsItemCorrectedLabelled(Answer):
    """Number of labelled testcases."""

    before: int
    """Labels in the first run."""
    after: int
    """Labels in the second run."""
    both: int
    """Testcases with a label in both runs."""


class RunComparisonPairsItemMetricsItemCorrectedDisagreements(Answer):
    """Labels on which judge and people differ."""

    before: int
    """Number of labels."""
    after: int
    """Number of labels."""


class RunComparisonPairsItemMetricsItemCorrectedLambda(Answer):
    """Weights in both runs."""

    before: float
    """Weight of the judge's verdicts, from 0 (unused) to 1 (fully used)."""
    after: float
    """Weight of the judge's verdicts, from 0 (unused) to 1 (fully used)."""


class RunComparisonPairsItemMetricsItemConclusion(Answer):
    """The verdict to act on: what people would say, where that is known."""

    basis: Literal["scores", "people"]
    """people: `corrected`, because people scored a random sample of both runs; only with `test=fixed`. scores: the scores as they are."""
    difference: float | None
    """Difference, the second run minus the first."""
    interval: Interval | None
    """Its confidence interval at the level at which the verdict is decided, among all tests of this answer."""
    level: float
    """Confidence level of the interval."""
    verdict: Literal["better", "worse", "cannot tell"]
    """Verdict on the second run."""
    sentence: str
    """The verdict in words."""


class RunComparisonPairsItemMetricsItemDropped(Answer):
    """Testcases that were not compared, by reason."""

    only_before: RunComparisonPairsItemMetricsItemDroppedOnlyBefore
    """Testcases in the first run only."""
    only_after: RunComparisonPairsItemMetricsItemDroppedOnlyAfter
    """Testcases in the second run only."""
    revised: RunComparisonPairsItemMetricsItemDroppedRevised
    """Testcases that changed between the runs."""
    unscored: RunComparisonPairsItemMetricsItemDroppedUnscored
    """Testcases without a score in one of the runs."""


class RunComparisonPairsItemMetricsItemDroppedOnlyBefore(Answer):
    """Testcases in the first run only."""

    num_testcases: int
    """Number of testcases."""
    testcases: list[str]
    """The first 20; `listChangedTestcases` lists all."""


class RunComparisonPairsItemMetricsItemDroppedOnlyAfter(Answer):
    """Testcases in the second run only."""

    num_testcases: int
    """Number of testcases."""
    testcases: list[str]
    """The first 20; `listChangedTestcases` lists all."""


class RunComparisonPairsItemMetricsItemDroppedRevised(Answer):
    """Testcases that changed between the runs."""

    num_testcases: int
    """Number of testcases."""
    testcases: list[str]
    """The first 20; `listChangedTestcases` lists all."""


class RunComparisonPairsItemMetricsItemDroppedUnscored(Answer):
    """Testcases without a score in one of the runs."""

    num_testcases: int
    """Number of testcases."""
    testcases: list[str]
    """The first 20; `listChangedTestcases` lists all."""


class SliceLosses(Answer):
    """The slices of a testset that lost more than the rest."""

    fields: list[str]
    """Fields that divide the shared testcases into slices that can be tested."""
    num_slices: int
    """Number of slices that were tested."""
    p: float | None
    """Smallest p of the slices; null without slices."""
    adjusted_p: float | None
    """The same, adjusted by Holm for the metrics and pairs of the answer."""
    sentence: str
    """What was found, in words."""
    worst: list[SliceLossesWorstItem]
    """The worst slices, at most 5: first those that are named, the largest loss (`shrunk`) first; then those with the smallest p."""


class SliceLossesWorstItem(Answer):
    """SliceLossesWorstItem."""

    field: str
    """Field of the testcases: `metadata.<field>` or `inputs.<field>`."""
    value: str
    """Its value in this slice."""
    n: int
    """Number of testcases of the slice that both runs have."""
    before: float
    """Mean in the first run."""
    after: float
    """Mean in the second run."""
    difference: float
    """The second run minus the first."""
    shrunk: float
    """The difference, shrunk towards the mean of all slices of the field, because the worst of many slices is worst partly by chance."""
    shrunk_interval: Interval
    p: float
    """p of a loss larger than in the rest, adjusted for all slices of all fields of this metric."""
    named: bool
    """Whether the slice is shown to have lost more than the rest, among all metrics and pairs of the answer."""


class ChangedTestcase(Answer):
    """A testcase in two runs."""

    id: str
    """Id of the testcase, or `record <id>` for a record without one."""
    testcase_id: str | None
    """Id of the testcase; null for a record without one."""
    change: Literal["better", "worse", "same", "onlyBefore", "onlyAfter", "revised", "unscored"]
    """How its score changed in the second run."""
    before: ChangedTestcaseBefore | None
    """Result in this run; null if the run does not have the testcase."""
    after: ChangedTestcaseBefore | None
    """Result in this run; null if the run does not have the testcase."""
    records: ChangedTestcaseRecords | None
    """One record of the testcase from each run; absent without `records`."""


class ChangedTestcaseBefore(Answer):
    """ChangedTestcaseBefore."""

    mean: float | None
    """Mean over its trials; null without a score."""
    trials: int
    """Number of scores."""
    missing: int
    """Number of records without a score."""
    revision: float | None
    """Revision of the testcase."""
    record_ids: list[str]
    """Ids of its records, at most 20."""


class ChangedTestcaseRecords(Answer):
    """One record of the testcase from each run; absent without `records`."""

    before: RecordDetail | None
    """The first record of the first run; null without one."""
    after: RecordDetail | None
    """The first record of the second run; null without one."""


class RunComparisonPairsItemNotComparedItem(Answer):
    """RunComparisonPairsItemNotComparedItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    reason: str
    """Reason."""


class UsageRises(Answer):
    """Rise of latency, tokens and cost from the first run to the second, on the shared testcases."""

    latency_ms: UsageRisesLatencyMs
    """Geometric mean of the latency of a record in milliseconds."""
    tokens: UsageRisesTokens
    """Input and output tokens of a record, without judges."""
    cost_usd: UsageRisesCostUsd
    """Cost of a record in US dollars, without judges."""


class UsageRisesLatencyMs(Answer):
    """Geometric mean of the latency of a record in milliseconds."""

    n: int
    """Number of testcases for which both runs know it."""
    before: float | None
    """Mean in the first run; null if it is not known."""
    after: float | None
    """Mean in the second run."""
    rise: float | None
    """Rise as a share of the value before: 0.1 is 10 % more."""
    interval: Interval | None
    """Interval of `rise` at `level`."""
    p: float | None
    """Two-sided p of no change."""
    sentence: str
    """The change in words."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class UsageRisesTokens(Answer):
    """Input and output tokens of a record, without judges."""

    n: int
    """Number of testcases for which both runs know it."""
    before: float | None
    """Mean in the first run; null if it is not known."""
    after: float | None
    """Mean in the second run."""
    rise: float | None
    """Rise as a share of the value before: 0.1 is 10 % more."""
    interval: Interval | None
    """Interval of `rise` at `level`."""
    p: float | None
    """Two-sided p of no change."""
    sentence: str
    """The change in words."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class UsageRisesCostUsd(Answer):
    """Cost of a record in US dollars, without judges."""

    n: int
    """Number of testcases for which both runs know it."""
    before: float | None
    """Mean in the first run; null if it is not known."""
    after: float | None
    """Mean in the second run."""
    rise: float | None
    """Rise as a share of the value before: 0.1 is 10 % more."""
    interval: Interval | None
    """Interval of `rise` at `level`."""
    p: float | None
    """Two-sided p of no change."""
    sentence: str
    """The change in words."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class FailureClusters(Answer):
    """The failures of a run in groups."""

    clusters: list[FailureClustersClustersItem]
    """Clusters, the largest first. `share` is of all grouped failures."""
    others: list[str]
    """Records that fit no cluster."""
    num_failures: int
    """Records of the run that failed."""
    num_grouped: int
    """Failures that were grouped: the newest 500."""
    basis: Literal["reasoning", "content"]
    """Texts that were compared: the reasonings of the scores, or inputs and outputs."""
    embedding_model_name: str | None
    """Model of embeddings; null if words were compared."""
    named_by: str | None
    """Model that named the clusters; null if the clusters are named by their words."""
    error: str | None
    """Why a call of a model failed; null if none failed."""
    cost_usd: float | None
    """Cost of the naming in US dollars; null if unknown or no model was asked."""


class FailureClustersClustersItem(Answer):
    """FailureClustersClustersItem."""

    name: str
    """Common feature of its failures: a name from the model, else its typical words."""
    words: list[str]
    """Words that its failures have and others lack."""
    record_ids: list[str]
    """Its records, the most typical first."""
    share: Estimate


class LedgerLook(Answer):
    """A look that a gate registers before it tests. The same answers have the same number again."""

    testset_id: str | None
    """Testset that was looked at; null for a run without one."""
    look: float | None
    """Number of the look within its testset; null before the run has scores."""
    number: float | None
    """Its number among the looks of its period at these testcases; null before that."""
    per: Literal["month", "quarter", "year"]
    """The period whose looks share it: a month, a quarter or a year of the calendar, in UTC."""
    alpha: float
    """Chance that any look of a period errs, at most."""
    level: float | None
    """The part of `alpha` at which this look is tested; null before that."""


class RunSummary(Answer):
    """Summary of a run, metric by metric, each number with its uncertainty."""

    run_id: str
    """Id of the run."""
    created_at: str
    """When it was started."""
    level: float
    """Confidence level."""
    num_records: int
    """Number of records of the run."""
    grouped_by: str | None
    """Grouping field of the testset, whose groups the intervals are based on; null without one."""
    weighted_by: WeightedBy | None
    num_criteria_left_out: int | None
    """Only with `criteriaOf`. Number of further criteria: at most 1,000 are in the answer, first those of the metric, then those of testcases with the most verdicts."""
    metrics: list[RunSummaryMetricsItem]
    """One entry for each configuration with scores in the run, first those that the run was started with."""
    breakdown: RunSummaryBreakdown | None
    """Breakdown by `by`; null without it. With many groups some differ by chance: read `versusRest.adjustedP`."""


class RunSummaryMetricsItem(Answer):
    """RunSummaryMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration that gave the scores."""
    eval_type: Literal["ai", "human", "heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not."""
    pinned: bool
    """Whether the run was started with this configuration."""
    states: SeriesPointScoresItemStates
    """Number of records by the state of their score. A failed judge does not count as a no."""
    pass_rate: RunEstimate
    mean: RunEstimate | None
    """Mean score; null for a boolean and for a category."""
    num_spans: int | None
    """Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record."""
    criterion: RunSummaryMetricsItemCriterion | None
    """Only with `criteriaOf`: the criterion that this entry is about."""
    labels: TrendsMetricsItemPointsItemLabels | None
    """Only for a category: how often each label was given."""
    distribution: list[RunSummaryMetricsItemDistributionItem]
    """Number of records by score; floats in 20 bins. Empty for a category, which has `labels`."""
    cost: TrendsMetricsItemPointsItemCost | None
    """Cost of the judge; null unless a model judges."""
    judge: JudgeOfRun | None
    """How well the judge is calibrated; null unless a model judges. The intervals leave its errors out."""


class RunEstimate(Answer):
    """Estimate of one metric of a run. Trials of a testcase are averaged first."""

    method: str
    """Method of the interval."""
    n: int
    """Number of independent units: testcases, or groups of testcases."""
    effective_n: float
    """Effective sample size: number of independent units of equal weight with the same information; below `n` if groups are of unequal size or testcases have unequal weights."""
    level: float
    """Confidence level."""
    estimate: float | None
    """The estimate; null without data."""
    standard_error: float | None
    """Standard error of the estimate."""
    interval: Interval | None
    """The interval; null with too little data."""
    reason: str | None
    """Why there is no interval."""
    assumption: str
    """Assumption of the interval."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""
    num_testcases: int
    """Number of testcases with at least one score."""
    range: Interval | None
    """Range of the estimate if every missing score were the worst or the best possible; null if none is missing."""
    pass_k: list[RunEstimatePassKItem]
    """pass@k and pass^k; empty unless testcases have several trials."""
    flaky: RunEstimateFlaky
    """Testcases that passed in one trial and failed in another."""


class RunEstimatePassKItem(Answer):
    """RunEstimatePassKItem."""

    k: int
    """Number of trials."""
    pass_at_k: Estimate
    pass_hat_k: Estimate


class RunEstimateFlaky(Answer):
    """Testcases that passed in one trial and failed in another."""

    num_testcases: int
    """Number of testcases."""
    testcases: list[RunEstimateFlakyTestcasesItem]
    """The first 100."""


class RunEstimateFlakyTestcasesItem(Answer):
    """RunEstimateFlakyTestcasesItem."""

    testcase_id: str
    """Id of the testcase."""
    trials: int
    """Number of trials."""
    num_passes: int
    """Number of trials that passed."""


class RunSummaryMetricsItemCriterion(Answer):
    """Only with `criteriaOf`: the criterion that this entry is about."""

    id: str
    """Id of the criterion."""
    text: str | None
    """Its text; null if only testcases have it."""
    weight: float | None
    """Its weight; null if only testcases have it."""
    must_pass: bool | None
    """Whether the score is 0 without it; null if only testcases have it."""
    num_voted: int
    """Number of records on which several votes were given."""
    num_split: int
    """Number of these on which the votes differ: a criterion with many is vague."""


class RunSummaryMetricsItemDistributionItem(Answer):
    """RunSummaryMetricsItemDistributionItem."""

    low: float
    """Smallest score of the bin."""
    high: float
    """Largest score of the bin."""
    num_scores: int
    """Number of scores."""


class RunSummaryBreakdown(Answer):
    """RunSummaryBreakdown."""

    by: str
    """Criterion of the groups."""
    groups: list[RunSummaryBreakdownGroupsItem]
    """The 100 largest groups, largest first."""
    num_groups_left_out: int
    """Number of further groups."""
    crossed: RunSummaryBreakdownCrossed | None
    """The groups by `across`, which make a table with those by `by`; null without it."""


class RunSummaryBreakdownGroupsItem(Answer):
    """RunSummaryBreakdownGroupsItem."""

    value: str
    """The tag, or the value of the field."""
    num_records: int
    """Number of records of this group."""
    metrics: list[RunSummaryBreakdownGroupsItemMetricsItem]
    """Results of this group, as for the whole run."""


class RunSummaryBreakdownGroupsItemMetricsItem(Answer):
    """RunSummaryBreakdownGroupsItemMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration that gave the scores."""
    eval_type: Literal["ai", "human", "heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes; null for a boolean, which passes when true, and for a category, whose labels pass or not."""
    pinned: bool
    """Whether the run was started with this configuration."""
    states: SeriesPointScoresItemStates
    """Number of records by the state of their score. A failed judge does not count as a no."""
    pass_rate: RunEstimate
    mean: RunEstimate | None
    """Mean score; null for a boolean and for a category."""
    num_spans: int | None
    """Number of spans with a score, for a metric that scores spans: passRate and mean are over them, clustered by record."""
    criterion: RunSummaryMetricsItemCriterion | None
    """Only with `criteriaOf`: the criterion that this entry is about."""
    labels: TrendsMetricsItemPointsItemLabels | None
    """Only for a category: how often each label was given."""
    distribution: list[RunSummaryMetricsItemDistributionItem]
    """Number of records by score; floats in 20 bins. Empty for a category, which has `labels`."""
    versus_rest: RunSummaryBreakdownGroupsItemMetricsItemVersusRest
    """The group compared with the other records of the run."""


class RunSummaryBreakdownGroupsItemMetricsItemVersusRest(Answer):
    """The group compared with the other records of the run."""

    difference: float | None
    """Pass rate of the group minus that of all other records; null without either."""
    interval: Interval | None
    """Its interval at `level`, not adjusted for the number of groups."""
    p: float | None
    """Two-sided p."""
    adjusted_p: float | None
    """p adjusted by Benjamini and Hochberg over all groups and metrics of the breakdown: of the groups at or below 0.05, about 5 % differ by chance only."""


class RunSummaryBreakdownCrossed(Answer):
    """RunSummaryBreakdownCrossed."""

    by: str
    """Criterion of the groups."""
    groups: list[RunSummaryBreakdownGroupsItem]
    """The 100 largest groups, largest first."""
    num_groups_left_out: int
    """Number of further groups."""
    cells: list[RunSummaryBreakdownCrossedCellsItem]
    """Cells of the table that have records, at most 1,000."""
    pass_rates: list[RunSummaryBreakdownCrossedPassRatesItem]
    """Pass rate of each metric over the table."""


class RunSummaryBreakdownCrossedCellsItem(Answer):
    """RunSummaryBreakdownCrossedCellsItem."""

    row: str
    """Value of `by`."""
    column: str
    """Value of `across`."""
    num_records: int
    """Number of records with both."""
    metrics: list[RunSummaryBreakdownCrossedCellsItemMetricsItem]
    """One entry for each metric of the summary."""


class RunSummaryBreakdownCrossedCellsItemMetricsItem(Answer):
    """RunSummaryBreakdownCrossedCellsItemMetricsItem."""

    metric_config_id: str
    """Configuration that gave the scores."""
    scored: int
    """Number of records with a score."""
    passed: int
    """Number of records that passed."""


class RunSummaryBreakdownCrossedPassRatesItem(Answer):
    """RunSummaryBreakdownCrossedPassRatesItem."""

    metric_config_id: str
    """Configuration that gave the scores."""
    pass_rate: Estimate


class TestsetExamination(Answer):
    """What stored runs tell about the testcases of a testset: which have a wrong key, show nothing, or stand in a prompt."""

    testset_id: str
    """Id of the testset."""
    metric_id: str | None
    """Metric by which testcases pass; null if no run has scores."""
    metric_name: str | None
    """Name of the metric."""
    runs: list[TestsetExaminationRunsItem]
    """Runs that were read, newest first."""
    num_versions: int
    """Different versions among them. Runs without a version count as one each."""
    num_models: int
    """Different models that the configurations of these versions name."""
    num_records: int
    """Records that were read."""
    kinds: list[TestsetExaminationKindsItem]
    """What was looked for."""
    findings: list[TestsetExaminationFindingsItem]
    """Findings, up to `limit` of each kind."""
    assumption: str
    """Assumption of the probabilities of wrong keys."""
    comparison: TestsetExaminationComparison | None
    """The comparison of two runs, repeated without suspects: wrong keys, duels, leaks and repeated twins. Null with fewer than two runs."""
    card: TestsetExaminationCard
    """The testset at a glance."""
    left_out: list[str]
    """What was not read because it is too much, each as a sentence."""
    level: float
    """Confidence level."""


class TestsetExaminationRunsItem(Answer):
    """TestsetExaminationRunsItem."""

    run_id: str
    """Id of the run."""
    version: str | None
    """Name of the version that answered; null if it is not known."""
    num_records: int
    """Records with a verdict on the current revision of a testcase."""


class TestsetExaminationKindsItem(Answer):
    """TestsetExaminationKindsItem."""

    kind: Literal["wrongKey", "duel", "leaked", "twin", "flaky", "hopeless", "dead"]
    """Kind of finding."""
    num_testcases: int
    """Testcases that have it."""
    meaning: str
    """What the kind means."""
    reason: str | None
    """Why testcases could not be examined for it; null if they were."""


class TestsetExaminationFindingsItem(Answer):
    """TestsetExaminationFindingsItem."""

    kind: Literal["wrongKey", "duel", "leaked", "twin", "flaky", "hopeless", "dead"]
    """Kind of finding."""
    testcase_id: str
    """Id of the testcase."""
    sentence: str
    """The evidence in words."""
    probability: float | None
    """wrongKey: how probable it is that the key is wrong, if versions err independently. Else null."""
    proposal: str | None
    """wrongKey: the answer that versions agree on. Else null."""
    other_testcase_id: str | None
    """twin: the testcase that it resembles. Else null."""
    system_id: str | None
    """leaked: the system whose version has the text. Else null."""
    metric_id: str | None
    """leaked: the metric whose judge has the text. Else null."""
    record_ids: list[str]
    """Records that show it, up to 5."""


class TestsetExaminationComparison(Answer):
    """TestsetExaminationComparison."""

    before: str
    """Run that is compared."""
    after: str
    """Run that it is compared with."""
    all: TestsetExaminationComparisonAll
    """A comparison of pass rates."""
    without_suspects: TestsetExaminationComparisonAll
    """A comparison of pass rates."""
    num_suspects: int
    """Testcases that were left out."""
    changed: bool
    """Whether the verdict is another one."""
    sentence: str
    """The result in words."""


class TestsetExaminationComparisonAll(Answer):
    """A comparison of pass rates."""

    n: int
    """Testcases that were compared."""
    difference: float | None
    """Later pass rate less the earlier one."""
    interval: Interval | None
    """Interval of the difference."""
    verdict: str
    """The verdict."""
    sentence: str
    """The verdict in words."""


class TestsetExaminationCard(Answer):
    """The testset at a glance."""

    num_testcases: int
    """Testcases of the testset."""
    num_with_key: int
    """Testcases with an expected answer."""
    num_answered: int
    """Testcases with a verdict."""
    num_generated: int
    """Testcases that a model wrote, by their field `origin`."""
    num_revised: int
    """Testcases that were changed since they were made."""
    num_invalid: int
    """Testcases that do not fit the schema."""
    num_batches: int
    """Times at which testcases were added."""
    first_at: str | None
    """When the first testcase was made."""
    last_at: str | None
    """When the last testcase was made or changed."""
    inputs: list[str]
    """Fields that the system gets."""
    expected: list[str]
    """Fields of the expected answer."""
    grouping_field: str | None
    """Field by which testcases depend on each other."""
    agreement: Estimate | None
    """Share of the testcases with labels on which people agree with the metric; null without labels."""


class Look(Answer):
    """A verdict about a testset that left the service. Asking again about the same answers is no further look."""

    number: int
    """Number of the look within its testset, from 1."""
    kind: Literal["gate", "compare", "summary", "report", "mcp", "ask", "evaluate"]
    """What asked first. summary: the rates of a new version. report: a shared report or a file. mcp: an agent. evaluate: code."""
    run_id: str
    """The newer run."""
    baseline_run_ids: list[str]
    """Runs that it was compared with; none for a summary."""
    system_version_id: str | None
    """Version of the system that answered; null if it is not known, or the run was deleted."""
    hash: str | None
    """Hash of the snapshot with which the run began; null without one."""
    split: str | None
    """Split that the run is about; null for all of the testset."""
    metrics: list[LookMetricsItem]
    """The metrics whose numbers were seen."""
    outcome: Literal["pass", "worse", "inconclusive", "incomplete", None]
    """Outcome of a gate with a ledger; null for other looks."""
    level: float | None
    """The part of its level at which a gate with a ledger tested; null for other looks."""
    user_id: str | None
    """Member who asked first; null for a reader of a shared report."""
    at: str
    """When it was asked for first."""


class LookMetricsItem(Answer):
    """LookMetricsItem."""

    metric_id: str | None
    """Id of the metric; null if it was deleted."""
    metric_name: str | None
    """Name of the metric; null if it was deleted."""
    metric_config_id: str
    """Its configuration."""
    baseline_run_id: str | None
    """The run that was compared; null for a summary."""
    verdict: Literal["better", "worse", "cannot tell", None]
    """Newest verdict on the newer run; null for a summary."""


class Wear(Answer):
    """How often a testset was looked at. Who looks often enough finds a difference by luck."""

    testset_id: str
    """Id of the testset."""
    split: str | None
    """Split whose looks are counted; null for all."""
    per: Literal["month", "quarter", "year"]
    """The period whose looks share it: a month, a quarter or a year of the calendar, in UTC."""
    since: str
    """Start of the present period."""
    num_looks: int
    """Looks in this period."""
    num_versions: int
    """Versions that were looked at in this period; a run without a version is one of its own."""
    num_looks_ever: int
    """Looks at all."""
    alpha: float
    """Chance that any look of a period errs, at most."""
    next: float
    """The part of `alpha` at which a gate with a ledger tests the next look."""
    left: float
    """The part of `alpha` that the looks of this period have left."""
    sentence: str
    """The same in words."""
    num_waiting: int
    """Fresh testcases that wait for a run."""
    num_misfits: int
    """Fresh testcases that wait and break the schema: no run takes them."""
    num_taken: int
    """Fresh testcases that runs took."""
    num_of_run: float | None
    """Fresh testcases that `runId` took; null without that parameter."""
    metrics: list[WearMetricsItem]
    """Fresh testcases against old ones, by metric; empty before a run with fresh testcases has scores."""


class WearMetricsItem(Answer):
    """Whether fresh testcases pass a metric as often as old ones."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    num_runs: int
    """Runs whose fresh testcases have scores, the newest 200 at most."""
    num_fresh: int
    """Fresh testcases in them."""
    optimism: WearMetricsItemOptimism
    """By testcase across runs for the old part, because their luck is the same in each run; by testcase for the fresh part. It includes the luck of the old testcases."""
    bet: WearMetricsItemBet
    """Without wear it is ever announced for any metric with a chance of `alpha` at most, however often one looks. The odds are those of a lower bound of the old rate, so that a lucky testset is not accused."""
    sentence: str
    """The same in words."""


class WearMetricsItemOptimism(Answer):
    """By testcase across runs for the old part, because their luck is the same in each run; by testcase for the fresh part. It includes the luck of the old testcases."""

    old: float
    """Pass rate of the old testcases, on average over the runs."""
    fresh: float
    """Pass rate of the fresh testcases."""
    difference: float
    """Old − fresh: how much better versions look here than elsewhere."""
    interval: WearMetricsItemOptimismInterval
    """A confidence interval."""


class WearMetricsItemOptimismInterval(Answer):
    """A confidence interval."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


class WearMetricsItemBet(Answer):
    """Without wear it is ever announced for any metric with a chance of `alpha` at most, however often one looks. The odds are those of a lower bound of the old rate, so that a lucky testset is not accused."""

    evidence: float
    """What a player has, from 1 at the start, who bets on each fresh testcase that it fails."""
    needed: float
    """At this much wear is announced."""
    announced_by: str | None
    """First run after which the evidence reached it; null without."""


class ListAnnotationsAnswer(Answer):
    """ListAnnotationsAnswer."""

    data: list[Annotation]
    """All annotations of the record."""


class Annotation(Answer):
    """A rating of a record by a person, with a comment."""

    id: str
    """Id of the annotation."""
    record_id: str
    """Id of the record."""
    span_id: str | None
    """Span of the record; null if the annotation is about the whole record."""
    trace_id: str | None
    """Trace of the span; left out without a span."""
    passage: Passage | None
    rating: bool
    """true is positive, false is negative."""
    comment: str
    """Free text of the user; empty if none was given."""
    user_id: str
    """Id of the author."""
    made_by: Literal["model"] | None
    """Present if a model made it. Its thumb never calibrates a judge."""
    created_at: str
    """When it was written: ISO 8601, UTC, milliseconds."""


class Passage(Answer):
    """Part of a text of a record or a span."""

    path: str
    """JSON Pointer to the text in the record as the API returns it (`/outputs/answer`) or, with `spanId`, in the span (`/output/0/content`, `/attributes/prompt`)."""
    start: int
    """Start of the passage in the text, in UTF-16 code units."""
    text: str
    """Text of the passage. It locates the passage if the text around it has changed."""


class Reply(Answer):
    """A reply to an annotation."""

    id: str
    """Id of the reply."""
    annotation_id: str
    """Id of the annotation that it replies to."""
    comment: str
    """Text of the reply."""
    user_id: str
    """Id of the author."""
    created_at: str
    """When it was written."""
    updated_at: str | None
    """When its author last changed it; null if never."""


class Thread(Answer):
    """Thread of an annotation: its replies, and whether it is resolved."""

    annotation_id: str
    """Id of the annotation that started the thread."""
    resolved_at: str | None
    """When it was resolved; null while it is open."""
    resolved_by_user_id: str | None
    """Who resolved it."""
    replies: list[Reply]
    """Replies, oldest first."""


class ListRecordAssigneesAnswer(Answer):
    """ListRecordAssigneesAnswer."""

    data: list[RecordAssignment]
    """All assignments of the record."""


class RecordAssignment(Answer):
    """A record assigned to a user."""

    id: str
    """Id of the assignment."""
    record_id: str
    """Id of the record."""
    assignee_user_id: str
    """Id of the user who should look at the record."""
    assigned_by_user_id: str
    """The user who assigned it."""
    created_at: str
    """When it was assigned."""


class UnassignRecordUserAnswer(Answer):
    """UnassignRecordUserAnswer."""

    deleted: float
    """Number of assignments removed, 0 or 1."""


class InitiateAttachmentAnswer(Answer):
    """InitiateAttachmentAnswer."""

    id: str
    """Id of the attachment."""
    already_exists: bool
    """Whether these bytes are already stored under this path."""
    upload_url: str | None
    """Signed link for the upload."""
    upload_method: Literal["PUT", None]
    """Method of the upload."""
    expires_at: str | None
    """When the link expires."""


class OrphanAttachment(Answer):
    """A file that no record and no trace uses."""

    id: str
    """Id of the attachment."""
    session_id: str
    """Session that the file belongs to."""
    file_path: str
    """Path of the file in the session."""
    filename: str | None
    """File name for people; null if none was given."""
    content_type: str | None
    """Media type as declared."""
    size_bytes: int | None
    """Size in bytes."""
    sha256: str | None
    """SHA-256 of the bytes, in hexadecimal."""
    status: Literal["pending", "uploaded"]
    """pending until the bytes have arrived."""
    uploaded_at: str | None
    """When the bytes arrived; null while pending."""
    metadata: dict[str, Any] | None
    """Metadata from the client."""
    project_id: str | None
    """Project that the file was declared in; null if none has it yet."""
    created_by_user_id: str | None
    """Member who declared it; null if an archive brought it."""
    created_at: str
    """When it was declared."""


class AttachmentWithDownload(Answer):
    """An attachment with a link to its bytes."""

    id: str
    """Id of the attachment."""
    session_id: str
    """Session that the file belongs to."""
    file_path: str
    """Path of the file in the session."""
    filename: str | None
    """File name for people; null if none was given."""
    content_type: str | None
    """Media type as declared."""
    size_bytes: int | None
    """Size in bytes."""
    sha256: str | None
    """SHA-256 of the bytes, in hexadecimal."""
    status: Literal["pending", "uploaded"]
    """pending until the bytes have arrived."""
    uploaded_at: str | None
    """When the bytes arrived; null while pending."""
    metadata: dict[str, Any] | None
    """Metadata from the client."""
    download_url: str | None
    """Signed link; null while pending."""
    download_expires_at: str | None
    """When the link expires; null while pending."""


class Attachment(Answer):
    """A file of a session. It is declared first and then uploaded."""

    id: str
    """Id of the attachment."""
    session_id: str
    """Session that the file belongs to."""
    file_path: str
    """Path of the file in the session."""
    filename: str | None
    """File name for people; null if none was given."""
    content_type: str | None
    """Media type as declared."""
    size_bytes: int | None
    """Size in bytes."""
    sha256: str | None
    """SHA-256 of the bytes, in hexadecimal."""
    status: Literal["pending", "uploaded"]
    """pending until the bytes have arrived."""
    uploaded_at: str | None
    """When the bytes arrived; null while pending."""
    metadata: dict[str, Any] | None
    """Metadata from the client."""


class AuditEvent(Answer):
    """An entry of the audit log: a write or a sign-in."""

    id: str
    """Id of the entry."""
    created_at: str
    """When it was done."""
    operation: str
    """operationId of the request, such as updateMetric or signIn."""
    resource: str
    """Group of the operation in this document, such as Metrics."""
    resource_id: str | None
    """Id of what was written; null if the write was about several."""
    project_id: str | None
    """Id of its project; null outside of projects."""
    user_id: str | None
    """Member who did it, or the SCIM token of a directory; null for the operator, the service itself and an unknown person."""
    user_name: str | None
    """Current name of the member or SCIM token; null if it was deleted."""
    key_id: str | None
    """API key of the request; null without one."""
    sign_in_id: str | None
    """Sign-in of the request; null without one."""
    address: str | None
    """Address that the request came from; null for the service itself."""
    failed: bool
    """Whether it was refused, for example a sign-in with a wrong password."""
    details: dict[str, Any] | None
    """For writes of data: number of rows, and the first and last of their ids."""
    before: dict[str, Any] | None
    """For settings: the resource before, without secrets."""
    after: dict[str, Any] | None
    """For settings: the resource after, without secrets."""
    place: int | None
    """Place in the chain, from 1; null for a few seconds after the write."""
    hash: str | None
    """SHA-256 of the previous hash and of the content of this entry, in hexadecimal."""


class AuditVerification(Answer):
    """Result of a check of the audit log."""

    intact: bool
    """Whether no entry of the chain was changed or removed."""
    chained: int
    """Number of entries in the chain."""
    unchained: int
    """Number of entries of the last seconds that are not in the chain yet. They are not protected."""
    num_erased: int
    """Number of entries in the chain whose `before` and `after` were erased, because what they are about was deleted."""
    place: int
    """Place of the last entry in the chain; 0 without one. Note it with hash."""
    hash: str
    """Hash of the last entry in the chain; empty without one."""
    breaks: list[AuditVerificationBreaksItem]
    """Where the chain breaks, at most 100."""


class AuditVerificationBreaksItem(Answer):
    """AuditVerificationBreaksItem."""

    place: int
    """Place in the chain."""
    id: str | None
    """Id of the entry at this place; null if it is missing."""
    created_at: str | None
    """Time of the entry; null if it is missing."""
    kind: Literal["changed", "missing", "cut", "replaced"]
    """changed: its content is not what was hashed. missing: entries before it were removed. cut: entries after it were removed. replaced: its hash differs from the one that you noted."""


class ListedDecision(Answer):
    """A registered decision without its rules and metrics."""

    id: str
    """Id of the decision."""
    question: str
    """The question."""
    owner: str
    """Who answers for it."""
    testset: ListedDecisionTestset
    """The testset as it was."""
    baseline_run_id: str | None
    """The run that later runs are compared with; null without one."""
    min_testcases: int
    """Testcases on which it is decided, as planned."""
    level: float
    """Confidence level of the gate."""
    registered_at: str
    """When it was registered."""
    registered_by: str | None
    """Member who registered it."""


class ListedDecisionTestset(Answer):
    """The testset as it was."""

    id: str
    """Id of the testset."""
    name: str
    """Name of the testset."""
    num_testcases: int
    """Testcases that it had."""
    snapshot: int
    """Number of the snapshot that holds them."""
    hash: str
    """Hash of that snapshot."""


class RegisteredDecision(Answer):
    """A decision that was registered before its run. The audit log holds it."""

    id: str
    """SHA-256 of the document as canonical JSON (RFC 8785), in hexadecimal."""
    document: RegisteredDecisionDocument
    """What was registered. Nothing changes it."""


class RegisteredDecisionDocument(Answer):
    """What was registered. Nothing changes it."""

    format: Literal["dokima-decision"]
    """What this is."""
    version: Literal[1]
    """Version of the format."""
    project_id: str
    """Id of the project."""
    question: str
    """The question."""
    owner: str
    """Who answers for it."""
    testset: ListedDecisionTestset
    """The testset as it was."""
    baseline: RegisteredDecisionDocumentBaseline | None
    """The run that later runs are compared with; null without one."""
    metrics: list[RegisteredDecisionDocumentMetricsItem]
    """The metrics that decide, as they were."""
    rules: dict[str, Any]
    """The rules."""
    min_testcases: int
    """Testcases on which it is decided, as planned."""
    power: float
    """Chance to see the planned difference."""
    level: float
    """Confidence level of the gate."""
    registered_at: str
    """When it was registered."""
    registered_by: str | None
    """Member who registered it."""


class RegisteredDecisionDocumentBaseline(Answer):
    """RegisteredDecisionDocumentBaseline."""

    run_id: str
    """Id of the run."""
    system_version_id: str | None
    """Version that answered; null if it is not known."""
    created_at: str
    """When the run was created."""


class RegisteredDecisionDocumentMetricsItem(Answer):
    """RegisteredDecisionDocumentMetricsItem."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric."""
    config_id: str
    """Its configuration."""
    hash: str
    """SHA-256 of all that decides how the configuration scores."""
    eval_model_name: str | None
    """Model that judges; null without one."""


class SignedDecision(Answer):
    """A decision with all that it rests on, signed, so that anyone can compute it again."""

    statement: dict[str, Any]
    """The in-toto statement about the commit or version; docs/deciding.md describes it."""
    public_key_pem: str
    """The public key, as PEM."""
    signatures: list[SignedDecisionSignaturesItem]
    """Signature of the service."""


class SignedDecisionSignaturesItem(Answer):
    """SignedDecisionSignaturesItem."""

    keyid: str
    """Name of the key, as in getPassportKey."""
    sig: str
    """Signature of the statement as DSSE v1 signs it, in base64."""


class DecisionReading(Answer):
    """A run held against a registered decision."""

    decision_id: str
    """Id of the decision."""
    run_id: str
    """Id of the run."""
    deviations: list[DecisionReadingDeviationsItem]
    """Where the run departs from what was registered."""
    num_looks: int
    """Runs of the testset with scores since the registration, this one included."""
    waivers: list[DecisionReadingWaiversItem]
    """Who shipped this run in spite of the verdict, and why; oldest first."""


class DecisionReadingDeviationsItem(Answer):
    """DecisionReadingDeviationsItem."""

    kind: Literal["registeredAfter", "testcasesChanged", "testcasesMissing", "metricChanged", "rerun", "otherLooks", "runsDeleted", "tooFew"]
    """Kind of deviation."""
    sentence: str
    """The deviation in words."""


class DecisionReadingWaiversItem(Answer):
    """DecisionReadingWaiversItem."""

    reason: str
    """Why."""
    waived_by: str | None
    """Member who waived."""
    waived_at: str
    """When."""


class Waiver(Answer):
    """A run that is shipped in spite of the verdict. The audit log holds it."""

    id: str
    """Id of the waiver."""
    decision_id: str
    """Id of the decision."""
    run_id: str
    """Run that is shipped."""
    reason: str
    """Why."""
    waived_by: str | None
    """Member who waived."""
    waived_at: str
    """When."""


class Execution(Answer):
    """One call of the system of a run, with one testcase."""

    testcase_id: str
    """Testcase that is sent to the system."""
    trial: int
    """Number of the trial, from 1 to the trials of the run."""
    state: Literal["pending", "done", "failed", "cancelled"]
    """pending: queued or running. done: the record exists. failed, cancelled: there is no record unless you retry."""
    num_attempts: int
    """Calls that reached the system."""
    last_error: str | None
    """Error of the latest failed call; null if no call failed or a later one succeeded."""
    record_id: str | None
    """Record that the execution created."""
    latency_ms: float | None
    """Latency of the system in milliseconds."""
    input_tokens: float | None
    """Input tokens of the system; null if it did not report them."""
    output_tokens: float | None
    """Output tokens of the system; null if it did not report them."""
    cost_usd: float | None
    """Cost of the system in US dollars, without judges: the sum of all attempts whose cost it reported; null if unknown."""
    user_cost_usd: float | None
    """Cost of the simulated user in US dollars; null if unknown, and without a simulation."""
    evidence: dict[str, Any] | None
    """Evidence of a prompt system: prompt as sent, model asked and model that answered. In a simulation: who played the user, and the `messages` if the conversation broke off."""
    updated_at: str
    """When it last changed."""


class Me(Answer):
    """Who sent this request."""

    organization: MeOrganization
    """The organization that the request belongs to."""
    user: Member
    rights: list[Literal["read", "review", "write", "admin"]]
    """Your rights in the organization. A project may give you others."""
    key: MeKey | None
    """Key of this request; null if a signed-in person sent it."""
    organizations: list[MeOrganizationsItem]
    """Organizations of the person, the current one included, by name. Empty for a key, which belongs to one organization."""
    position: str
    """Position of this answer in the streams of changes. Pass it as `since` to begin a stream after this answer."""


class MeOrganization(Answer):
    """The organization that the request belongs to."""

    id: str
    """Id of the organization."""
    name: str
    """Name of the organization."""
    report_links: bool
    """Whether members may make links that show a report without an account."""


class Member(Answer):
    """A person in the organization."""

    id: str
    """Id of the member; the userId of what they write."""
    name: str
    """Name of the person."""
    email: str
    """E-mail address, unique in the organization."""
    role: Literal["admin", "member", "annotator", "viewer"]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""
    has_password: bool
    """Whether the member has chosen a password with a sign-in link and so can sign in."""
    has_signed_in_with_sso: bool
    """Whether a single sign-on account belongs to the member."""
    active: bool
    """False if the directory deactivated the member, who then has no access."""
    created_at: str
    """When they became a member."""


class MeKey(Answer):
    """MeKey."""

    id: str
    """Id of the key."""
    name: str
    """Name of the key."""
    prefix: str
    """First characters of the key."""
    access: Literal["full", "read"]
    """Rights of the key."""
    expires_at: str | None
    """When it expires; null if never."""


class MeOrganizationsItem(Answer):
    """An organization of the person."""

    id: str
    """Id of the organization."""
    name: str
    """Name of the organization."""
    role: Literal["admin", "member", "annotator", "viewer"]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""
    current: bool
    """Whether the session is of this organization now."""
    joined: bool
    """Whether you have joined it. False after single sign-on for an organization whose admins added your address: a switch with `join` joins it."""


class Organization(Answer):
    """An organization on this service, as the operator sees it."""

    id: str
    """Id of the organization."""
    name: str
    """Name of the organization."""
    judge_model_name: str | None
    """Model of AI metrics that name none, such as openai/<model>; null for DOKIMA_JUDGE_MODEL."""
    report_links: bool
    """Whether members may make links that show a report without an account. If not, existing links show nothing."""
    num_members: int
    """Number of its active members."""
    created_at: str
    """When it was created."""


class ScimToken(Answer):
    """A token for SCIM, without its secret part."""

    id: str
    """Id of the token."""
    name: str
    """Purpose of the token."""
    prefix: str
    """First characters of the token, to tell tokens apart."""
    created_at: str
    """When it was created."""
    last_used_at: str | None
    """When it was last used, to the minute; null if never."""


class ScimTokenCreated(Answer):
    """A new token for SCIM."""

    id: str
    """Id of the token."""
    name: str
    """Purpose of the token."""
    prefix: str
    """First characters of the token, to tell tokens apart."""
    created_at: str
    """When it was created."""
    last_used_at: str | None
    """When it was last used, to the minute; null if never."""
    token: str
    """The token itself. It is shown only here; the service stores a hash."""
    url: str
    """Base URL of SCIM, for the directory."""


class MetricGroup(Answer):
    """A named set of metrics of a project. Deleting a metric removes it from its groups."""

    id: str
    """Id of the group."""
    name: str
    """Name of the group."""
    description: str
    """Purpose of the group."""
    metric_ids: list[str]
    """Metrics of the group in their order, each once."""
    project_id: str
    """Project of the group and its metrics."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ListMetricTemplatesAnswer(Answer):
    """ListMetricTemplatesAnswer."""

    data: list[MetricTemplate]
    """All templates, by group and name."""


class MetricTemplate(Answer):
    """A ready-made metric."""

    id: str
    """Id of the template."""
    group: Literal["quality", "grounding", "conversation", "agents", "safety", "format", "text", "people"]
    """Topic."""
    reads: list[str]
    """Parts of a record that the metric reads: fields, such as outputs.answer, which you can rename in the metric to match your records; and trace, conversation and toolCalls of its trace."""
    source: str
    """Where the definition comes from."""
    metric: MetricTemplateMetric1 | MetricTemplateMetric2 | MetricTemplateMetric3 | MetricTemplateMetric4 | MetricTemplateMetric5 | MetricTemplateMetric6 | MetricTemplateMetric7 | MetricTemplateMetric8 | MetricTemplateMetric9 | MetricTemplateMetric10 | MetricTemplateMetric11 | MetricTemplateMetric12
    """The metric as createMetric takes it."""
    examples: MetricTemplateExamples
    """Example records."""


class MetricTemplateMetric1(Answer):
    """MetricTemplateMetric1."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str | None
    """Model that judges."""
    temperature: float | None
    """Temperature of the judge."""
    passing_threshold: int | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric2(Answer):
    """MetricTemplateMetric2."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str | None
    """Model that judges."""
    temperature: float | None
    """Temperature of the judge."""
    passing_threshold: float | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: MetricTemplateMetric2Criteria | None
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class MetricTemplateMetric2Criteria(Answer):
    """MetricTemplateMetric2Criteria."""

    from_expected: bool | None
    """Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion."""
    isolate: bool | None
    """Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another."""


class MetricTemplateMetric2CriteriaItemsItem(Answer):
    """MetricTemplateMetric2CriteriaItemsItem."""

    id: str | None
    """Default: made of the text."""
    text: str
    """What the record must do, as one question with a yes or a no."""
    weight: float | None
    """Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight."""
    must_pass: bool | None
    """Whether the score is 0 when it is not met."""


class MetricTemplateMetric3(Answer):
    """MetricTemplateMetric3."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str | None
    """Model that judges."""
    temperature: float | None
    """Temperature of the judge."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric4(Answer):
    """MetricTemplateMetric4."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str | None
    """Model that judges."""
    temperature: float | None
    """Temperature of the judge."""
    labels: MetricTemplateMetric4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class MetricTemplateMetric4Labels(Answer):
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""

    passing: list[str]
    """The labels that pass: at least one, and not all."""
    ordered: bool | None
    """Whether the labels go from worst to best. Default: false."""


class MetricTemplateMetric5(Answer):
    """MetricTemplateMetric5."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: int | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric6(Answer):
    """MetricTemplateMetric6."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: MetricTemplateMetric2Criteria | None
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class MetricTemplateMetric7(Answer):
    """MetricTemplateMetric7."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric8(Answer):
    """MetricTemplateMetric8."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: MetricTemplateMetric4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class MetricTemplateMetric9(Answer):
    """MetricTemplateMetric9."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: int | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric10(Answer):
    """MetricTemplateMetric10."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: float | None
    """Lowest score that passes."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric11(Answer):
    """MetricTemplateMetric11."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: str | None
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class MetricTemplateMetric12(Answer):
    """MetricTemplateMetric12."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str | None
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: MetricTemplateMetric4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class MetricTemplateExamples(Answer):
    """Example records."""

    passing: MetricTemplateExamplesPassing
    """A record that passes."""
    failing: MetricTemplateExamplesFailing
    """A record that fails."""


class MetricTemplateExamplesPassing(Answer):
    """A record that passes."""

    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    trace: MetricTemplateExamplesPassingTrace | None
    """The parts of its trace that metrics read."""
    why: str
    """Why it passes or fails."""


class MetricTemplateExamplesPassingTrace(Answer):
    """The parts of its trace that metrics read."""

    trace: list[Any] | None
    """Spans."""
    conversation: list[Any] | None
    """Messages."""
    tool_calls: list[Any] | None
    """Tool calls."""


class MetricTemplateExamplesFailing(Answer):
    """A record that fails."""

    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    trace: MetricTemplateExamplesPassingTrace | None
    """The parts of its trace that metrics read."""
    why: str
    """Why it passes or fails."""


Metric: TypeAlias = "Metric1 | Metric2 | Metric3 | Metric4 | Metric5 | Metric6 | Metric7 | Metric8 | Metric9 | Metric10 | Metric11 | Metric12"


class Metric1(Answer):
    """Metric1."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str
    """Model that judges."""
    temperature: float
    """Temperature of the judge."""
    passing_threshold: int
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric2(Answer):
    """Metric2."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str
    """Model that judges."""
    temperature: float
    """Temperature of the judge."""
    passing_threshold: float
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""
    criteria: Criteria | None


class Criteria(Answer):
    """Criteria that a metric scores one by one. The score is the share of their weights that is met."""

    from_expected: bool
    """Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion."""
    isolate: bool
    """Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another."""


class Criterion(Answer):
    """A criterion of a metric."""

    id: str
    """Id of the criterion, which its verdicts name."""
    text: str
    """What the record must do, as one question with a yes or a no."""
    weight: float
    """Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight."""
    must_pass: bool
    """Whether the score is 0 when it is not met."""


class Metric3(Answer):
    """Metric3."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str
    """Model that judges."""
    temperature: float
    """Temperature of the judge."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric4(Answer):
    """Metric4."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str
    """Model that judges."""
    temperature: float
    """Temperature of the judge."""
    labels: Labels


class Metric5(Answer):
    """Metric5."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: int
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric6(Answer):
    """Metric6."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: float
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""
    criteria: Criteria | None


class Metric7(Answer):
    """Metric7."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric8(Answer):
    """Metric8."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: Labels


class Metric9(Answer):
    """Metric9."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: int
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric10(Answer):
    """Metric10."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: float
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric11(Answer):
    """Metric11."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""


class Metric12(Answer):
    """Metric12."""

    id: str
    """Id of the metric."""
    name: str
    """Name of the metric, shown beside its scores."""
    description: str | None
    """Purpose of the metric."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: Labels


class MetricSettings(Answer):
    """How many votes a judge gives, which people it is compared with, and how many people review a record."""

    judge_repeats: int
    """How often the judge is asked about each record. The score is the majority or the median; every vote is kept."""
    jury_model_names: list[str]
    """Models that judge in addition to evalModelName, each judgeRepeats times. The score is the majority or the median of all verdicts; each verdict is kept."""
    people_metric_id: str | None
    """Human metric whose scores are the truth about a judge: the one that was set, else the only one of the project with the same guidelines and kind of score. Null if it is not known; then no rate is corrected. Set null to remove the setting."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    review_rule: Literal["latest", "majority"]
    """How the current score follows from theirs: the latest, or the majority (for integers and floats the median; with an even number, the lower of the two in the middle; for labels without an order the one of more than half). A metric with criteria has a majority on each criterion."""


class MetricVersion(Answer):
    """A present or past configuration of a metric. It never changes."""

    id: str
    """Id of the configuration; the metricConfigId of its scores."""
    current: bool
    """Whether new runs use it."""
    created_at: str
    """When it was created."""
    eval_type: Literal["ai", "human", "heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    guidelines: str
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    prompt_template: str | None
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: str | None
    """Model that judges."""
    temperature: float | None
    """Temperature of the judge."""
    passing_threshold: float | None
    """Lowest score that passes."""
    spans: str | None
    """The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records."""
    criteria: Criteria | None
    labels: Labels | None


class CriteriaDrafts(Answer):
    """Criteria that a model wrote, for review."""

    drafts: list[CriteriaDraftsDraftsItem]
    """Criteria in the order of the model. Nothing is stored: someone accepts them one by one into `criteria.items` of the metric."""
    num_failures: int
    """Number of failures that the model reads."""
    model_name: str
    """Model that writes them."""
    estimate: CriteriaDraftsEstimate
    """What the call costs, estimated before it."""
    error: str | None
    """Why there are no drafts; null if the model answered or was not asked."""
    input_tokens: float | None
    """Input tokens of the call."""
    output_tokens: float | None
    """Output tokens of the call."""
    cost_usd: float | None
    """Cost in US dollars of the call; null if unknown."""


class CriteriaDraftsDraftsItem(Answer):
    """CriteriaDraftsDraftsItem."""

    id: str
    """Id that is made of the text."""
    text: str
    """One question with a yes or a no."""
    weight: float
    """Weight; negative for what must not happen."""
    must_pass: bool
    """Whether the model would fail the record without it."""
    why: str
    """Why the model wrote it; may be empty."""
    record_ids: list[str]
    """Failures that the model names for it."""
    similar_to: str | None
    """Criterion that it nearly repeats: one of `criteria`, or an earlier draft."""


class CriteriaDraftsEstimate(Answer):
    """What the call costs, estimated before it."""

    input_tokens: float | None
    """Input tokens of the call, by the length of the question."""
    output_tokens: float | None
    """Output tokens of the call, by the length of the question."""
    cost_usd: float | None
    """Cost in US dollars of the call, by the length of the question; null if unknown."""


class PreviewMetricAnswer(Answer):
    """PreviewMetricAnswer."""

    state: str
    """scored, unscored or failed."""
    score: dict[str, Any] | None
    """The score that would be stored; null without one."""
    reason: str | None
    """Why there is no score."""
    language: Literal["javascript", "python", None]
    """Language of the code: javascript stands for TypeScript too; null for a judge."""
    prompt: str | None
    """The prompt as sent; null for code."""
    raw_reply: str | None
    """Raw reply of the model; null for code."""
    error: str | None
    """Why the last reply is not a verdict, or the message of the provider about files that its model refused; null for a verdict."""
    jury: list[PreviewMetricAnswerJuryItem] | None
    """Verdict of each model of the jury; null without a jury."""
    model_answered: str | None
    """The model that answered, as named by its provider."""
    input_tokens: int | None
    """Tokens of the prompt."""
    output_tokens: int | None
    """Tokens of the reply."""
    cost_usd: float | None
    """Cost; null if the price is unknown."""
    trace: PreviewMetricAnswerTrace | None
    """The parts of the record's trace that the metric read; null if it reads none, or without a trace."""
    spans: list[PreviewMetricAnswerSpansItem] | None
    """The spans of the record that `spans` chooses; null without it."""
    span_id: str | None
    """The span that was scored; null without `spans`."""
    trace_id: str | None
    """Trace of the span that was scored; null without `spans`."""
    latency_ms: int
    """Duration in milliseconds."""


class PreviewMetricAnswerJuryItem(Answer):
    """PreviewMetricAnswerJuryItem."""

    model_name: str
    """Name of the model as it was asked."""
    verdict: PreviewMetricAnswerJuryItemVerdict | None
    """Its verdict; null without one."""
    reason: str | None
    """Why it gave no verdict."""
    error: str | None
    """Error in its last reply."""
    cost_usd: float | None
    """Cost in US dollars; null if the price is unknown."""


class PreviewMetricAnswerJuryItemVerdict(Answer):
    """PreviewMetricAnswerJuryItemVerdict."""

    value: bool | float | str
    """Its score."""
    reasoning: str
    """Reason for the score."""


class PreviewMetricAnswerTrace(Answer):
    """PreviewMetricAnswerTrace."""

    num_spans: int
    """Number of spans of the record."""
    cut: list[str]
    """Parts that were cut to fit the limits."""


class PreviewMetricAnswerSpansItem(Answer):
    """PreviewMetricAnswerSpansItem."""

    trace_id: str
    """Trace of the span."""
    span_id: str
    """Id of the span."""
    name: str
    """Name of the span."""


class Monitor(Answer):
    """Scores a share of the traces of a project as they arrive."""

    id: str
    """Id of the monitor."""
    project_id: str
    """Id of its project."""
    name: str
    """Name of the monitor."""
    metric_ids: list[str]
    """Metrics that score the drawn records, each with its configuration at that time."""
    sampling_rate: float
    """Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record."""
    filter: MonitorFilter
    """Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records."""
    settle_seconds: int
    """Seconds without new spans after which the monitor looks at a record."""
    paused: bool
    """Whether the monitor ignores what arrives."""
    created_at: str
    """When it was created."""
    defined_at: str
    """When its metrics, rate or filter last changed."""
    results: MonitorResults
    """Results since `since`."""


class MonitorFilter(Answer):
    """Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records."""

    service: str | None
    """Service of the span."""
    name: str | None
    """Name of the span."""
    model_name: str | None
    """Model of the span."""
    error: bool | None
    """true: at least one such span failed. false: none of them failed."""
    min_duration_ms: int | None
    """The span took at least this many milliseconds."""
    tag: str | None
    """Tag of the record."""


class MonitorResults(Answer):
    """Results since `since`."""

    since: str
    """Start of the results: definedAt, or 30 days ago if that is later."""
    num_records: int
    """Records that match the filter."""
    num_drawn: int
    """Records that were drawn."""
    metrics: list[MonitorResultsMetricsItem]
    """Results by metric, without deleted ones."""


class MonitorResultsMetricsItem(Answer):
    """MonitorResultsMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Its current configuration; only scores by it are counted."""
    states: SeriesPointScoresItemStates
    """Number of records by the state of their score. A failed judge does not count as a no."""
    pass_rate: Estimate
    num_spans: int | None
    """Spans of the scored records, for a metric that scores spans."""


class OrganizationCreated(Answer):
    """A new organization, its first admin, and the link with which they choose a password."""

    organization: Organization
    user: Member
    sign_in_link: SignInLink


class SignInLink(Answer):
    """Link with which a member chooses a password, the first or a new one."""

    url: str
    """The link to give to the member. The first person who uses it chooses the password."""
    expires_at: str
    """When it expires."""


class PreferenceStudy(Answer):
    """Outputs of several runs on the same testcases, compared two at a time."""

    id: str
    """Id of the study."""
    project_id: str
    """Project of the study."""
    name: str
    """Name of the study."""
    criterion: str
    """What makes an output the better one. People and the model read it."""
    run_ids: list[str]
    """Its runs."""
    num_testcases: int
    """Number of testcases that were drawn."""
    num_pairs: int
    """Number of pairs of outputs."""
    judge: PreferenceStudyJudge | None
    """The model that compares; null without one."""
    people: PreferenceStudyPeople
    """Progress of the comparisons by people."""
    created_by_user_id: str
    """Who started it."""
    created_at: str
    """When it was started."""


class PreferenceStudyJudge(Answer):
    """PreferenceStudyJudge."""

    model_name: str
    """Model that compares."""
    budget_usd: float | None
    """Budget in US dollars; null without a limit."""
    spent_usd: float
    """Cost so far in US dollars, as far as prices are known."""
    scored: int
    """Pairs that it compared."""
    pending: int
    """Pairs that it has yet to compare."""
    unscored: int
    """Pairs on which it gave no verdict."""
    failed: int
    """Pairs on which it could not be asked."""
    stopped: bool
    """Whether it stopped at its budget."""
    last_error: str | None
    """Most frequent reason why a pair has no verdict; null if all have one."""


class PreferenceStudyPeople(Answer):
    """Progress of the comparisons by people."""

    num_pairs: int
    """Pairs that someone compared."""
    num_comparisons: int
    """Comparisons by people."""
    num_own: int
    """Comparisons by you."""


class PreferenceComparison(Answer):
    """A pair of outputs with its votes."""

    number: int
    """Number of the pair."""
    first_run_id: str
    """Id of the first run."""
    second_run_id: str
    """Id of the second run."""
    first_record_id: str
    """Record of the first run."""
    second_record_id: str
    """Record of the second run."""
    state: Literal["unasked", "pending", "scored", "unscored", "failed"]
    """State of the model's verdict; `unasked` if the study has no model."""
    last_error: str | None
    """Why the model gave no verdict."""
    cost_usd: float
    """Cost of the model in US dollars."""
    votes: list[PreferenceComparisonVotesItem]
    """Votes of people and of the model."""


class PreferenceComparisonVotesItem(Answer):
    """PreferenceComparisonVotesItem."""

    user_id: str | None
    """Who compared; null for the model."""
    left_run_id: str
    """Run whose output was shown on the left, or first."""
    preferred_run_id: str | None
    """Run that was preferred; null for a tie."""
    ratings: list[int] | None
    """The model’s two ratings, from 1 (the first is clearly better) to 5 (the second is): as shown, then swapped. Null for people."""
    comment: str
    """Reason for the choice; empty if none was given."""
    created_at: str
    """When it was given."""


class NextPreference(Answer):
    """The next pair to compare. Sides are drawn for each pair and person."""

    pair: NextPreferencePair | None
    """The next pair, without the names of its systems; null if you have compared all."""
    num_own: int
    """Number of pairs that you have compared."""
    num_pairs: int
    """Number of pairs of the study."""


class NextPreferencePair(Answer):
    """NextPreferencePair."""

    number: int
    """Number of the pair within the study."""
    inputs: dict[str, Any]
    """Inputs that both systems received."""
    expected: dict[str, Any]
    """Expected output; empty without one."""
    left: dict[str, Any]
    """The output on the left."""
    right: dict[str, Any]
    """The output on the right."""


class PreferenceResult(Answer):
    """Which runs are preferred."""

    study_id: str
    """Id of the study."""
    people: PreferenceResultPeople | None
    """By people; the majority counts where several compared a pair. Null without one."""
    judge: PreferenceResultPeople | None
    """By the model; null without one."""
    agreement: PreferenceResultAgreement | None
    """How far the model agrees with people; null if they compared no pair in common."""


class PreferenceResultPeople(Answer):
    """PreferenceResultPeople."""

    method: str
    """Method of the ranking."""
    level: float
    """Confidence level."""
    num_units: int
    """Number of testcases, or of groups of them, with a comparison."""
    num_comparisons: int
    """Number of pairs that were compared."""
    runs: list[PreferenceResultPeopleRunsItem] | None
    """The runs, the most preferred one first; null without a ranking."""
    reason: str | None
    """Why there is no ranking."""
    pairs: list[PreferenceResultPeoplePairsItem]
    """One entry for each pair of runs."""
    fit: PreferenceResultPeopleFit | None
    """Whether the ranking describes its pairs; null with only two runs or too few comparisons."""
    warnings: list[str]
    """Warnings for the reader."""
    ties: Estimate
    position: Estimate


class PreferenceResultPeopleRunsItem(Answer):
    """PreferenceResultPeopleRunsItem."""

    run_id: str
    """Id of the run."""
    win_rate: float
    """Probability of being preferred to another of the runs, with a tie as half; for three or more runs the mean over the others."""
    interval: Interval
    strength: float
    """Logarithm of the strength of Bradley and Terry’s model; 0 is the mean of all runs."""
    strength_interval: Interval
    rank: PreferenceResultPeopleRunsItemRank
    """The places that the tests do not rule out."""


class PreferenceResultPeopleRunsItemRank(Answer):
    """The places that the tests do not rule out."""

    best: int
    """Best place."""
    worst: int
    """Worst place."""


class PreferenceResultPeoplePairsItem(Answer):
    """PreferenceResultPeoplePairsItem."""

    first_run_id: str
    """Id of the first run."""
    second_run_id: str
    """Id of the second run."""
    wins: int
    """Pairs that the first won."""
    ties: int
    """Pairs without a winner."""
    losses: int
    """Pairs that the second won."""
    win_rate: Estimate
    expected: PreferenceResultPeoplePairsItemExpected | None
    """Probability that the first is preferred to the second, by the ranking of all pairs. Its interval is not adjusted. Null without a ranking."""
    direct_p: float | None
    """Two-sided p of a `winRate` of 0.5, by the comparisons of these two alone, adjusted by Holm over all pairs of runs."""
    sentence: str | None
    """Contradiction between the ranking and the comparisons of these two runs alone, in words: only the comparisons show a difference, or they show the opposite order. Null without one."""
    adjusted_p: float | None
    """Two-sided p of equal strengths, adjusted by Holm over all pairs of runs."""
    apart: bool
    """Whether the two runs are shown to differ: adjustedP decides. In a study of two runs, the interval of `expected` then excludes 0.5. In a study of more, the interval can exclude 0.5 although no difference is shown."""


class PreferenceResultPeoplePairsItemExpected(Answer):
    """PreferenceResultPeoplePairsItemExpected."""

    win_rate: float
    """The probability."""
    interval: Interval


class PreferenceResultPeopleFit(Answer):
    """Test of fit: whether the strengths explain the results of the pairs."""

    p: float
    """p of the test of the ranking against a separate probability for each pair."""
    df: int
    """Degrees of freedom: pairs that met, beyond those that connect all runs."""
    fits: bool
    """False if the test rejects the ranking at the confidence level."""
    sentence: str
    """The same in words."""


class PreferenceResultAgreement(Answer):
    """PreferenceResultAgreement."""

    num_pairs: int
    """Pairs that both people and the model compared."""
    same: Estimate
    ac1: Estimate
    opposite: int
    """Pairs on which they preferred opposite outputs."""


class PreferenceEstimate(Answer):
    """Questions and cost of a study."""

    num_testcases: int
    """Number of testcases that would be drawn."""
    num_shared: int
    """Number of testcases that all runs answered, in the same revision."""
    num_pairs: int
    """Number of pairs of outputs."""
    num_requests: int
    """Number of questions to the model: two for each pair."""
    input_tokens: int
    """Estimated tokens sent."""
    output_tokens: int
    """Estimated tokens received."""
    cost_usd: float | None
    """Estimated cost in US dollars; null if the price of the model is unknown."""


class Project(Answer):
    """Holds the testsets, metrics, systems and runs of one AI system under test."""

    id: str
    """Id of the project."""
    name: str | None
    """Name of the project."""
    description: str | None
    """Description of the project."""


class ProjectAccess(Answer):
    """Who may do what in a project."""

    restricted: bool
    """Whether only the project's members and the organization's admins see the project."""
    project_name: str
    """Name of the project."""
    members: list[ProjectAccessMembersItem]
    """Members to whom the project gives a role, in the order in which they got it."""
    rights: list[Literal["read", "review", "write", "admin"]]
    """Your rights in the project."""
    uses: list[Literal["review", "production"]]
    """What the project is used for beside evaluations. review: it has a metric that people score, or a side-by-side comparison. production: it has traces, a monitor or an alert."""
    num_to_review: int
    """Number of records that wait for your score, at most 100; 0 if you may not review."""


class ProjectAccessMembersItem(Answer):
    """A member of the project and the role that it gives them."""

    user_id: str
    """Id of the member."""
    role: Literal["admin", "member", "annotator", "viewer"]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""


class AskProjectAnswer(Answer):
    """AskProjectAnswer."""

    claims: list[AskProjectAnswerClaimsItem]
    """The answer. Each claim rests on runs or records that the model has read."""
    num_left_out: int
    """Number of claims that are left out, because they name no run or record that the model has read."""
    steps: list[AskProjectAnswerStepsItem]
    """Calls of tools by the model, in order."""
    model_name: str
    """Model that answered."""
    error: str | None
    """Why there is no whole answer; null if there is one."""
    input_tokens: float | None
    """Input tokens of all calls; null if one is unknown."""
    output_tokens: float | None
    """Output tokens of all calls; null if one is unknown."""
    cost_usd: float | None
    """Cost of all calls in US dollars; null if one is unknown."""


class AskProjectAnswerClaimsItem(Answer):
    """AskProjectAnswerClaimsItem."""

    text: str
    """The claim, in words."""
    run_ids: list[str]
    """Runs that it rests on."""
    record_ids: list[str]
    """Records that it rests on."""
    n: float | None
    """Number of testcases or records that it counts; null if it counts none."""


class AskProjectAnswerStepsItem(Answer):
    """AskProjectAnswerStepsItem."""

    tool: str
    """Tool of the MCP server."""
    arguments: str
    """Its arguments as JSON."""


class Creator(Answer):
    """Who created a testset, a metric or a system."""

    id: str
    """Id of the testset, metric or system."""
    created_by_user_id: str
    """User who created it, also with a key."""
    created_by_name: str | None
    """Name of the user; null for a former member."""


class ProjectImport(Answer):
    """Status of the import of an archive into a project."""

    project_id: str
    """Id of the project."""
    started_at: str
    """When the import began."""
    completed_at: str | None
    """When the last line was stored; null while the import is incomplete."""
    num_lines: int
    """Lines of the archive that are stored."""
    rows: dict[str, int]
    """Imported rows, by part of the archive."""
    yours: dict[str, int]
    """Rows whose author is now the importer, because the author is not a member or the importer is not an admin."""
    left_out: dict[str, int]
    """Rows of reviewers and assignees who are not members here. They are not imported."""
    changed: dict[str, int]
    """Monitors that are now paused, and pending executions that are now cancelled."""


class MaskingPreview(Answer):
    """Result of masking an object. It is not stored."""

    data: dict[str, Any]
    """The object as it would be stored."""
    num_replaced: int
    """Number of values that were replaced."""


class RetentionPreview(Answer):
    """Counts of the next purge, each at most 100,000. A purge runs every minute."""

    num_records: int
    """Records that would be deleted, with their scores and traces."""
    num_kept_records: int
    """Older records that are kept, among the 100,000 oldest."""
    kept_because: RetentionPreviewKeptBecause
    """Kept records by reason. A record with several reasons counts in each."""
    num_traces: int
    """Traces that would be deleted for their age."""


class RetentionPreviewKeptBecause(Answer):
    """Kept records by reason. A record with several reasons counts in each."""

    annotated: int
    """With an annotation."""
    assigned: int
    """Assigned to someone."""
    tagged: int
    """With a tag by a person."""
    reviewed: int
    """With a review."""
    scored: int
    """With a score by a person: of a metric that people score, or given on the pages. Scores that a client sends for other metrics do not count."""
    pinned: int
    """Pinned to check a judge."""
    in_kept_run: int
    """In the newest run with a mark on a testset, or in a trial of a judge."""


class SearchIndex(Answer):
    """State of a project's search index."""

    active: bool
    """Whether new records are put into the index. The setting searchIndex, or the first search, turns it on."""
    num_waiting: int
    """Number of records that the index does not have yet, at most 10000. A search reads them one by one."""


class ProjectSettings(Answer):
    """Who sees a project, how long it keeps data, what it masks, and whether it is indexed for search."""

    restricted: bool
    """Whether only the project's members and the organization's admins see the project."""
    record_days: int | None
    """Days after which records, with their scores and traces, are deleted; null: never."""
    trace_days: int | None
    """Days after which traces, and the records created from them, are deleted; null: never."""
    search_index: bool | None
    """Whether the texts and fields of records are indexed for search; null: from the first search on that needs the index. A search finds every record without the index too, but reads the records one by one."""
    masking: MaskingSettings


class MaskingSettings(Answer):
    """What a project replaces in data that arrives, before anything is stored."""

    patterns: list[Literal["email", "phone", "creditCard", "iban", "ipAddress", "secret"]]
    """Built-in patterns to look for."""
    custom: list[MaskingSettingsCustomItem]
    """Custom patterns, applied before the built-in ones."""
    fields: list[str]
    """Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items."""
    hashed: bool
    """Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal."""
    testcases: bool
    """Whether testcases are masked too."""
    comments: bool
    """Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too."""


class MaskingSettingsCustomItem(Answer):
    """MaskingSettingsCustomItem."""

    name: str
    """Name of the pattern. The match is replaced by this name in capitals: [NAME]."""
    pattern: str
    """Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text."""


class JudgeModels(Answer):
    """Models that can judge."""

    default_model_name: str | None
    """evalModelName of AI metrics that name none: the default of the organization, else DOKIMA_JUDGE_MODEL; null if neither is set."""
    own: bool
    """Whether the organization has set the default itself."""
    providers: list[JudgeModelsProvidersItem]
    """Model lists of the providers, by name."""


class JudgeModelsProvidersItem(Answer):
    """JudgeModelsProvidersItem."""

    provider: str
    """Name of the provider."""
    error: str | None
    """Why the list could not be read; null if it was."""
    read_at: str
    """When the list was read last. Workers read it once a day."""
    models: list[JudgeModelsProvidersItemModelsItem]
    """Models by the provider’s own list."""


class JudgeModelsProvidersItemModelsItem(Answer):
    """JudgeModelsProvidersItemModelsItem."""

    name: str
    """The model as an evalModelName."""
    ends_on: str | None
    """When the provider shuts the model down; null if it announces no date."""


class PriceTable(Answer):
    """Prices of models for all organizations, in US dollars per million tokens. The prices of a provider come before them."""

    sources: list[PriceTableSourcesItem]
    """Sources of the prices, the one that comes first at the top."""
    models: dict[str, PriceTableModelsValue]
    """Prices in use, by kind of provider and model, such as `openai/gpt-4o`, each with its source and day."""


class PriceTableSourcesItem(Answer):
    """PriceTableSourcesItem."""

    source: Literal["file", "url", "shipped"]
    """file: the operator's file (DOKIMA_PRICES_FILE). url: a list that is read each day (DOKIMA_PRICES_URL). shipped: the table of this version."""
    address: str | None
    """URL of the list, without a query; null for the others."""
    date: str | None
    """Day of the prices, as YYYY-MM-DD; null before the first list was read."""
    num_models: int
    """Number of models with a price."""
    read_at: str | None
    """When the list in use was read; null for what is not read from a URL."""
    error: str | None
    """Why the newest list was not used; null if it was."""
    refused: list[PriceTableSourcesItemRefusedItem]
    """Models of the list whose new price is not used. Their price before stays in use."""


class PriceTableSourcesItemRefusedItem(Answer):
    """PriceTableSourcesItemRefusedItem."""

    model_name: str
    """Kind of provider and model."""
    reason: str
    """Why its new price is not used."""


class PriceTableModelsValue(Answer):
    """A price in US dollars per million tokens, with its source."""

    input: float
    """Price of a million tokens that the model reads."""
    output: float
    """Price of a million tokens that the model writes."""
    cached_input: float | None
    """Price of a million tokens read from the cache. Default: input."""
    cache_write: float | None
    """Price of a million tokens stored in the cache. Default: input."""
    audio_input: float | None
    """Price of a million tokens of sound that the model reads. Default: input."""
    cached_audio_input: float | None
    """Price of a million tokens of sound read from the cache. Default: cachedInput."""
    audio_output: float | None
    """Price of a million tokens of sound that the model makes. Default: output."""
    changes: list[PriceTableModelsValueChangesItem] | None
    """Prices that hold from a day on in place of these, earliest first."""
    source: Literal["file", "url", "shipped"]
    """file: the operator's file (DOKIMA_PRICES_FILE). url: a list that is read each day (DOKIMA_PRICES_URL). shipped: the table of this version."""
    date: str | None
    """Day on which the price was read, as YYYY-MM-DD: the one that the list has for the price, else that of the list."""
    reference: str | None
    """Page that the list names for the price; null if it names none."""


class PriceTableModelsValueChangesItem(Answer):
    """PriceTableModelsValueChangesItem."""

    input: float
    """Price of a million tokens that the model reads."""
    output: float
    """Price of a million tokens that the model writes."""
    cached_input: float | None
    """Price of a million tokens read from the cache. Default: input."""
    cache_write: float | None
    """Price of a million tokens stored in the cache. Default: input."""
    audio_input: float | None
    """Price of a million tokens of sound that the model reads. Default: input."""
    cached_audio_input: float | None
    """Price of a million tokens of sound read from the cache. Default: cachedInput."""
    audio_output: float | None
    """Price of a million tokens of sound that the model makes. Default: output."""


class ListModelEndingsItem(Answer):
    """ListModelEndingsItem."""

    model_name: str
    """evalModelName."""
    ends_on: str
    """Day on which the provider shuts it down, as YYYY-MM-DD."""
    days_left: int
    """Days until then; negative when it has passed."""
    metric_ids: list[str]
    """Metrics that it judges now."""


class Provider(Answer):
    """A provider of models, without its secrets."""

    id: str
    """Id of the provider."""
    name: str
    """The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`."""
    kind: Literal["openai", "anthropic", "google", "azure", "bedrock", "openai-compatible"]
    """API of the provider."""
    base_url: str | None
    """Base URL; null for the default."""
    options: dict[str, str]
    """azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them."""
    has_secret: bool
    """Whether a key or a secret option is stored."""
    max_concurrency: int
    """Maximum number of concurrent requests of one process."""
    requests_per_minute: int | None
    """Maximum number of requests per minute of one process; null means no limit."""
    prices: dict[str, ProviderPricesValue]
    """Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server."""
    max_output_tokens: int
    """Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it."""
    timeout_ms: int
    """Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own."""
    created_at: str
    """When it was added."""
    updated_at: str
    """When it was last changed."""


class ProviderPricesValue(Answer):
    """US dollars per million tokens."""

    input: float
    """Price of a million tokens that the model reads."""
    output: float
    """Price of a million tokens that the model writes."""
    cached_input: float | None
    """Price of a million tokens read from the cache. Default: input."""
    cache_write: float | None
    """Price of a million tokens stored in the cache. Default: input."""
    audio_input: float | None
    """Price of a million tokens of sound that the model reads. Default: input."""
    cached_audio_input: float | None
    """Price of a million tokens of sound read from the cache. Default: cachedInput."""
    audio_output: float | None
    """Price of a million tokens of sound that the model makes. Default: output."""


class TestProviderAnswer(Answer):
    """TestProviderAnswer."""

    ok: bool
    """Whether the model gave a readable verdict."""
    message: str
    """The result, or what to change."""
    model_answered: str | None
    """The model that answered, as the provider names it."""
    latency_ms: int
    """Duration in milliseconds."""


class RecordFields(Answer):
    """The fields of the records of a project."""

    fields: list[str]
    """Paths of fields that records have, at most 500, as the search writes them, such as `outputs.answer`. Fields within arrays are left out. A new field appears some seconds after its first record."""


class ValueGroups(Answer):
    """Number of records, traces or runs by the value of a field."""

    by: str
    """What is grouped by."""
    n: int
    """Number of records, traces or runs that were counted."""
    partial: bool
    """Whether older ones were left out: only the `newest` are read. Each count is then of these."""
    num_others: int
    """Number with other values. One with several values, such as tags, counts once for each."""
    many_values: bool
    """Whether those of one statement have more than 1,000 different values: then counts of rare values are too low."""
    groups: list[ValueGroupsGroupsItem]
    """The groups, largest first."""


class ValueGroupsGroupsItem(Answer):
    """ValueGroupsGroupsItem."""

    value: str | None
    """The value, at most 200 characters; null for those without one. Values that differ only in case are one group where the search finds them together."""
    words: str | None
    """Filter of the search that finds the group; null if none does."""
    n: int
    """Number with the value."""
    pass_rate: Estimate | None
    """Pass rate of `rateOf` in the group, by the newest score of each record; null without `rateOf`. Records with the same inputs are one unit. The rate of a metric that scores spans is over the spans of the records."""


class RecordHistogram(Answer):
    """Number of records over time."""

    num_records: int
    """Number of records that match the filters."""
    start: str | None
    """Start of the first interval; null if the project has no records."""
    bucket_seconds: float
    """Length of each interval in seconds: a round number of milliseconds (0.005 is five), seconds, minutes, hours or days."""
    counts: list[int]
    """Number of records created in each interval, oldest first. The intervals reach from createdAfter, or the first record of the project, to createdBefore, or the last record."""
    estimated: bool
    """Whether the counts are estimates: in each interval of a large project, up to 300 records are tested against the filters. Without filters, or with those that an index answers, counts are exact."""


class RecordWithScores(Answer):
    """A record with all its scores."""

    id: str
    """Id of the record, `<run>-<n>`."""
    run_id: str
    """Id of its run."""
    testcase_id: str | None
    """Id of its testcase; absent without one."""
    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    scores: list[Score]
    """The scores that have been given."""


class Record(Answer):
    """One case that the system handled: inputs, expected output, outputs."""

    id: str
    """Id of the record, `<run>-<n>`."""
    run_id: str
    """Id of its run."""
    testcase_id: str | None
    """Id of its testcase; absent without one."""
    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""


class CreateRecordsAnswer(Answer):
    """CreateRecordsAnswer."""

    ids: list[str]
    """Ids of the records, in the order sent."""


class ReviewDisagreement(Answer):
    """A record on which reviewers disagree."""

    record_id: str
    """Id of the record."""
    metric_config_id: str
    """Configuration of the metric."""
    spread: float
    """Highest minus lowest value, with 1 for true and 0 for false."""
    reviews: list[Review]
    """Reviews, oldest first."""


class Review(Answer):
    """Score of a record by one person."""

    id: str
    """Id of the review."""
    record_id: str
    """Id of the record."""
    metric_config_id: str
    """Configuration of the metric."""
    user_id: str
    """Id of the reviewer."""
    made_by: Literal["person", "client", "model"]
    """Who made it: a person, a client that did not say who did, or a model."""
    score: dict[str, Any]
    """The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning."""
    blind: bool
    """Whether the reviewer could not have seen another person's review of the record before. It says nothing about the judge's verdict: the queue hides that, but a member who may read the project can have seen it elsewhere, which is not known. Reviewers who may only review can't have seen it."""
    submitted_at: str
    """When it was submitted."""


class AssignReviewsAnswer(Answer):
    """AssignReviewsAnswer."""

    num_records: int
    """Number of records."""
    people: list[AssignReviewsAnswerPeopleItem]
    """The people, each with the number of records that they got."""


class AssignReviewsAnswerPeopleItem(Answer):
    """AssignReviewsAnswerPeopleItem."""

    user_id: str
    """Id of a user."""
    num_records: int
    """Number of records."""


class LeaveReviewsAnswer(Answer):
    """LeaveReviewsAnswer."""

    num_records: int
    """Number of records."""


class NextReviewAnswer(Answer):
    """NextReviewAnswer."""

    review: ReviewTask | None
    """The record to score, by the first of its metrics; null if nothing is left for you."""
    metrics: list[ReviewMetric]
    """All metrics by which this record waits for your score, in the order of their creation. You have claimed the record for each."""


class ReviewTask(Answer):
    """A record for you to score. Other scores are left out, so that they do not influence you."""

    record_id: str
    """Id of the record."""
    metric_id: str
    """Id of the metric."""
    metric_config_id: str
    """Configuration of the metric."""
    metric_name: str
    """Name of the metric."""
    guidelines: str
    """Instructions for reviewers."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    criteria: Criteria | None
    """Criteria to score one by one: send `criteria: [{ id, met }]` in place of a value. null: the metric has none."""
    labels: Labels | None
    """Labels to choose from, for a category; null for other metrics."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    assigned: bool
    """Whether the record is assigned to you."""
    has_spans: bool
    """Whether traces belong to the record: it has a conversation."""
    claimed_until: str | None
    """When your claim on the record expires; null if you have none."""
    previous_score: dict[str, Any] | None
    """Your last score of this record, even if undone since; null if there is none."""
    record: Record


class ReviewMetric(Answer):
    """A metric by which a record waits for your score."""

    metric_id: str
    """Id of the metric."""
    metric_config_id: str
    """Configuration of the metric."""
    metric_name: str
    """Name of the metric."""
    guidelines: str
    """Instructions for reviewers."""
    output_type: Literal["int", "float", "boolean", "category"]
    """Kind of score."""
    criteria: Criteria | None
    """Criteria to score one by one: send `criteria: [{ id, met }]` in place of a value. null: the metric has none."""
    labels: Labels | None
    """Labels to choose from, for a category; null for other metrics."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    claimed_until: str | None
    """When your claim on the record expires; null if you have none."""
    previous_score: dict[str, Any] | None
    """Your last score of this record, even if undone since; null if there is none."""


class GetReviewProgressAnswer(Answer):
    """GetReviewProgressAnswer."""

    queues: list[GetReviewProgressAnswerQueuesItem]
    """One queue for each configuration that people score."""
    members: list[GetReviewProgressAnswerMembersItem]
    """You and all who have reviewed, skipped or claimed a record, or to whom one is assigned."""
    for_you: GetReviewProgressAnswerForYou
    """What waits for you. A record counts once, whatever the number of its metrics."""


class GetReviewProgressAnswerQueuesItem(Answer):
    """GetReviewProgressAnswerQueuesItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    num_pending: int
    """Number of records whose score is pending."""
    num_started: int
    """Number of these records that someone has reviewed."""
    num_reviewed: int
    """Number of records that people have reviewed and that have a score."""
    num_for_you: int
    """Number of records that wait for your score: they are assigned to you, or have a review left that is reserved for no one."""


class GetReviewProgressAnswerMembersItem(Answer):
    """GetReviewProgressAnswerMembersItem."""

    user_id: str
    """Id of the reviewer."""
    name: str
    """Name of the user."""
    num_reviewed: int
    """Number of records that they have reviewed."""
    num_skipped: int
    """Number of pending records that they have skipped and not reviewed since."""
    num_remaining: int
    """Number of pending records that they have not reviewed."""
    num_assigned: int
    """Number of records that are assigned to them and wait for their score."""


class GetReviewProgressAnswerForYou(Answer):
    """What waits for you. A record counts once, whatever the number of its metrics."""

    num_records: int
    """Number of records that wait for your score by any of the metrics."""
    num_assigned: int
    """Number of these records that are assigned to you."""


class SubmitReviewsAnswer(Answer):
    """SubmitReviewsAnswer."""

    data: list[SubmitReviewsAnswerDataItem]
    """The reviews, in the order of the request."""


class SubmitReviewsAnswerDataItem(Answer):
    """SubmitReviewsAnswerDataItem."""

    review: Review
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the record's score: pending until all its reviewers have submitted."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    num_reviews: int
    """Number of people who have reviewed the record."""


class ListReviewsAnswer(Answer):
    """ListReviewsAnswer."""

    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the record's score: pending until all its reviewers have submitted."""
    num_reviewers: int
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    num_reviews: int
    """Number of people who have reviewed the record."""
    data: list[Review]
    """Reviews, oldest first. Reviews of others are left out while the score is pending and you have not submitted yours."""


class SkipReviewAnswer(Answer):
    """SkipReviewAnswer."""

    skipped: bool
    """Always true."""


class SampledRecord(Answer):
    """A record of a sample."""

    record_id: str
    """Id of the record."""
    stratum: str | None
    """The tag, value or verdict; null for records without one and in a sample without strata."""
    wave: int
    """Wave of its stratum."""
    inclusion_probability: float
    """Probability that the record is in the sample."""
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of its score."""
    value: float | None
    """Value of its score, with 1 for true and for a label that passes, and 0 for false and for another label; null without one."""
    label: str | None
    """Its label, for a category; null for other metrics and without a score."""


class ReviewSample(Answer):
    """A random sample of a run's records for people to score."""

    id: str
    """Id of the sample."""
    run_id: str
    """Id of the run that it was drawn from."""
    metric_id: str
    """Id of the metric."""
    metric_config_id: str
    """Configuration for which people score the records."""
    seed: int
    """Seed of the sample: the records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>"."""
    stratify_by: ReviewSampleStratifyBy | None
    """What defines the strata; null without strata."""
    allocation: Literal["proportional", "equal"]
    """How the sample is divided among the strata: in proportion to their records, or as equally as possible. Each gets at least one record."""
    num_records: int
    """Number of records that could have been drawn: all records of the run when the sample was last filled."""
    num_drawn: int
    """Number of records in the sample."""
    strata: list[ReviewSampleStrataItem]
    """Strata. All records of a stratum have the same probability. A sample without strata has one stratum for each wave."""
    user_id: str
    """Who first drew it."""
    created_at: str
    """When it was first drawn."""


class ReviewSampleStratifyBy(Answer):
    """What defines the strata: one of the four."""

    tag: str | None
    """Two strata: records with this tag and records without it."""
    input_field: str | None
    """One stratum for each value of this field of the inputs; a long value counts by its start."""
    testcase_field: str | None
    """One stratum for each value of this field of the testcase's current data."""
    metric_id: str | None
    """Three strata by another metric: pass, fail, or no valid score yet."""


class ReviewSampleStrataItem(Answer):
    """ReviewSampleStrataItem."""

    value: str | None
    """The tag, value or verdict; null for records without one and in a sample without strata."""
    wave: int
    """Number of the wave. Records that arrive after a draw form separate strata, in wave 2 and later."""
    num_records: int
    """Number of records of the stratum at its first draw."""
    num_drawn: int
    """Number of its records in the sample."""
    inclusion_probability: float
    """Probability that a record is drawn: numDrawn / numRecords."""


class ListedRun(Answer):
    """A run with its name, tags and facts, and what it is for."""

    id: str
    """Id of the run."""
    testset_id: str | None
    """Testset of the run."""
    system_id: str | None
    """System under test."""
    system_version_id: str | None
    """Version of the system under test."""
    metric_ids: list[str]
    """Metrics of the run."""
    metric_version_ids: list[str]
    """Configuration of each metric, fixed when the run was created, in the order of metricIds."""
    num_records: float
    """Number of records."""
    num_expected_records: float | None
    """Number of testcases of the testset when the run was created, times trials; null without a testset."""
    num_scores: float
    """Number of scores that have been given."""
    status: Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]
    """Status of the run, derived from its records and scores."""
    project_id: str
    """Project of the run."""
    name: str | None
    """Name of the run; null or empty for none. `title` then says what the run is."""
    title: str
    """Name of the run, or a title made of its number, its system with version and its testset."""
    tags: list[str]
    """Tags of the run."""
    origin: str | None
    """Origin of the run, as its creator gave it; null if none was given."""
    marks: list[str]
    """Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs."""
    verdicts: list[RunVerdict]
    """Newest verdict of each gate, newest first."""
    notes_start: str
    """First 200 characters of the notes."""
    snapshot: RunComparisonRunsItemSnapshot | None
    """The testcases of the testset when the run started; null without a testset."""
    split: str | None
    """Split of the testset that the run is about; null for all of it."""
    kind: Literal["evaluation", "traces", "trial"]
    """evaluation: records that clients sent or the service made. traces: the traces of a day. trial: copies of records on which a judge is tried."""
    created_at: str
    """When the run was started."""
    simulation: ListedRunSimulation | None
    """Who plays the user, if each record is a conversation; null otherwise."""


class RunVerdict(Answer):
    """Verdict of a gate on a run."""

    gate: str
    """Name of the gate, such as the file with its rules."""
    outcome: Literal["pass", "worse", "inconclusive", "incomplete"]
    """pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing)."""
    baseline_run_id: str | None
    """Run that it was compared with; null without one."""
    against: str | None
    """The runs that it was compared with, in words; null without one."""
    reason: str | None
    """The first rule that did not pass; null if all passed."""
    decided_at: str
    """When the gate decided."""


class ListedRunSimulation(Answer):
    """ListedRunSimulation."""

    user_version_id: str | None
    """System version that plays the user; null when messages are replayed."""
    max_turns: int
    """Maximum number of replies of the system in one conversation."""
    replay_of: str | None
    """Run whose user messages are sent again; null when a model plays the user, or after the run was deleted."""


class Run(Answer):
    """An evaluation: records of a system, scored by metrics."""

    id: str
    """Id of the run."""
    testset_id: str | None
    """Testset of the run."""
    system_id: str | None
    """System under test."""
    system_version_id: str | None
    """Version of the system under test."""
    metric_ids: list[str]
    """Metrics of the run."""
    metric_version_ids: list[str]
    """Configuration of each metric, fixed when the run was created, in the order of metricIds."""
    num_records: float
    """Number of records."""
    num_expected_records: float | None
    """Number of testcases of the testset when the run was created, times trials; null without a testset."""
    num_scores: float
    """Number of scores that have been given."""
    status: Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]
    """Status of the run, derived from its records and scores."""


class RunCostEstimate(Answer):
    """Estimate of what the judges of a run will cost."""

    num_records: int
    """Number of records that the estimate is for."""
    cost_usd: float | None
    """Cost of all judges in US dollars; null if one of their prices is unknown."""
    leaves_out_files: bool
    """Whether testcases hold images, PDF or audio whose tokens are not in the estimate, because no verdict was measured yet."""
    metrics: list[RunCostEstimateMetricsItem]
    """One entry for each metric, in the order of the request."""
    system_cost_usd: float | None
    """Cost of calling the system once for each record, in US dollars, with 250 tokens for the unknown output; null without a system, for an endpoint, for an unknown price and with simulation."""
    simulation: RunCostEstimateSimulation | None
    """Estimated cost of the conversations, without judges; null without simulation."""


class RunCostEstimateMetricsItem(Answer):
    """RunCostEstimateMetricsItem."""

    metric_id: str
    """Id of the metric."""
    basis: Literal["earlierScores", "template", "free"]
    """earlierScores: measured on verdicts of this configuration in its newest runs. template: from the length of the prompt and of the testcases, with 250 tokens for the unknown output, 200 for the verdict and 100 for each further criterion; with `isolate`, one call for each. free: no judge."""
    num_measured: int
    """Number of verdicts that the estimate is measured on; for code, number of timings."""
    input_tokens: float
    """Tokens that the judge will read."""
    output_tokens: float
    """Tokens that it will write."""
    cost_usd: float | None
    """Cost of the judge in US dollars; null if the price of its model is unknown."""
    seconds: float | None
    """Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. Null until something is measured, and for people."""


class RunCostEstimateSimulation(Answer):
    """Assumes that every conversation goes on to maxTurns with 100 tokens a message. Most end earlier."""

    num_conversations: int
    """Number of conversations."""
    max_user_calls: int
    """Maximum number of calls of the model that plays the user."""
    max_system_calls: int
    """Maximum number of calls of the system under test."""
    user_cost_usd: float | None
    """Highest cost of the user in US dollars; null if the price of its model is unknown."""
    system_cost_usd: float | None
    """Highest cost of the system in US dollars; null for an endpoint, whose cost the service does not know, and if the price of its model is unknown."""


class CancelRunAnswer(Answer):
    """CancelRunAnswer."""

    num_executions: int
    """Number of executions changed."""
    num_scores: int
    """Number of scores changed."""
    num_proposals: int
    """Number of proposals changed."""


class RunDetail(Answer):
    """A run with its notes, progress, calls of the system and judge budget."""

    id: str
    """Id of the run."""
    testset_id: str | None
    """Testset of the run."""
    system_id: str | None
    """System under test."""
    system_version_id: str | None
    """Version of the system under test."""
    metric_ids: list[str]
    """Metrics of the run."""
    metric_version_ids: list[str]
    """Configuration of each metric, fixed when the run was created, in the order of metricIds."""
    num_records: float
    """Number of records."""
    num_expected_records: float | None
    """Number of testcases of the testset when the run was created, times trials; null without a testset."""
    num_scores: float
    """Number of scores that have been given."""
    status: Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]
    """Status of the run, derived from its records and scores."""
    project_id: str
    """Project of the run."""
    name: str | None
    """Name of the run; null or empty for none. `title` then says what the run is."""
    title: str
    """Name of the run, or a title made of its number, its system with version and its testset."""
    tags: list[str]
    """Tags of the run."""
    origin: str | None
    """Origin of the run, as its creator gave it; null if none was given."""
    marks: list[str]
    """Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs."""
    verdicts: list[RunVerdict]
    """Newest verdict of each gate, newest first."""
    notes_start: str
    """First 200 characters of the notes."""
    snapshot: RunComparisonRunsItemSnapshot | None
    """The testcases of the testset when the run started; null without a testset."""
    split: str | None
    """Split of the testset that the run is about; null for all of it."""
    kind: Literal["evaluation", "traces", "trial"]
    """evaluation: records that clients sent or the service made. traces: the traces of a day. trial: copies of records on which a judge is tried."""
    created_at: str
    """When the run was started."""
    simulation: ListedRunSimulation | None
    """Who plays the user, if each record is a conversation; null otherwise."""
    testset: RunComparisonRunsItemTestset | None
    """Testset of the run; null without one."""
    notes: str
    """Notes on the run, in Markdown or plain text; empty at first."""
    progress: RunDetailProgress
    """Progress of the scores of a run, metric by metric."""
    executions: ExecutionSummary
    judge_budget: JudgeBudget
    model_endings: list[ListModelEndingsItem]
    """Models that end within 60 days or have ended, the first to end first."""


class RunDetailProgress(Answer):
    """Progress of the scores of a run, metric by metric."""

    num_records: int
    """Number of records."""
    num_expected_records: int | None
    """Number of testcases of the testset when the run started; null without a testset."""
    working: bool
    """Whether the service still has work to do: records are expected, or scores are pending that wait neither for people nor for a higher budget."""
    stopped_by: Literal["judgeBudget", None]
    """Why pending scores wait: judgeBudget means that the judge budget is used up. Raise it to continue."""
    reason: str | None
    """Why nothing progresses although scores or calls are pending: no process does the work. Null otherwise."""
    num_failed_calls: int
    """Number of calls of the system that failed for good: they made no record."""
    num_retried_calls: int
    """Number of calls of the system that failed and wait for another attempt. `executions.errors` has their errors."""
    num_errors: int
    """Number of errors: failed calls, failed scores, and scores that do not fit their metric. A completed run can have errors."""
    metrics: list[RunDetailProgressMetricsItem]
    """One entry for each configuration with scores in the run."""


class RunDetailProgressMetricsItem(Answer):
    """RunDetailProgressMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    eval_type: Literal["ai", "heuristic", "human"]
    """Who scores: a model, code or people."""
    automatic: bool
    """Whether the service makes the scores, with code or a judge. Only such scores can be cancelled and retried."""
    metric_config_id: str
    """Configuration that scores."""
    pending: int
    """Number of pending scores."""
    scored: int
    """Number of scores that have been given."""
    unscored: int
    """Number of scores that could not be given, through no fault of the service."""
    failed: int
    """Number of scores that failed."""
    invalid: int
    """Number of the given scores that do not fit the metric: they have no value and count nowhere."""
    reason: str | None
    """Why scores are retried later, failed or do not fit the metric, or the one reason for which every score of the run is unscored."""


class ExecutionSummary(Answer):
    """The executions of a run in numbers."""

    num_executions: int
    """Executions of the run; 0 when clients send its records."""
    pending: int
    """Queued or running."""
    done: int
    """Done, with a record."""
    failed: int
    """Failed for good."""
    cancelled: int
    """Cancelled."""
    input_tokens: float | None
    """Sum of the input tokens, attempts without a record included; null if one is unknown."""
    output_tokens: float | None
    """Sum of the output tokens, attempts without a record included; null if one is unknown."""
    cost_usd: float | None
    """Cost of the system in US dollars, without judges, attempts without a record included; null if one is unknown."""
    user_cost_usd: float | None
    """Cost of the simulated users in US dollars; null if one is unknown, and without a simulation."""
    median_latency_ms: float | None
    """Median latency in milliseconds."""
    p95_latency_ms: float | None
    """95th percentile of the latency in milliseconds."""
    errors: list[ExecutionSummaryErrorsItem]
    """Errors of executions that are not done, most frequent first; at most 20."""
    measured: ExecutionSummaryMeasured
    """Latency, tokens and cost of the records, from the calls of the service and from traces that clients sent."""


class ExecutionSummaryErrorsItem(Answer):
    """ExecutionSummaryErrorsItem."""

    state: Literal["pending", "failed"]
    """pending: the calls wait for their next attempt. failed: there is none."""
    error: str
    """Error of the last attempt."""
    num_executions: int
    """Number of executions with this error."""
    max_attempts: int
    """Highest number of attempts of one of them."""


class ExecutionSummaryMeasured(Answer):
    """Latency, tokens and cost of the records, from the calls of the service and from traces that clients sent."""

    num_records: int
    """Number of records with a call or a trace that reports latency, tokens or cost."""
    median_latency_ms: float | None
    """Median latency in milliseconds of those that have one."""
    tokens_per_record: float | None
    """Mean of input and output tokens of those that have them, earlier attempts included."""
    cost_usd_per_record: float | None
    """Mean cost in US dollars of those that have one: earlier attempts included, without judges and simulated users."""


class JudgeBudget(Answer):
    """Cost and budget of the judges of a run."""

    budget_usd: float | None
    """Budget in US dollars; null means no limit."""
    spent_usd: float
    """Known cost so far, in US dollars. Includes replaced verdicts, proposals and lost attempts, so it never falls. Does not include the system under test."""
    num_unpriced: int
    """Number of verdicts whose cost is unknown, each retry included; spentUsd does not include them."""
    num_waiting: int
    """Number of pending scores and proposals of judges."""
    stopped: bool
    """Whether pending verdicts wait because the budget is used up. Raise the budget to continue."""


class ListSchedulesAnswer(Answer):
    """ListSchedulesAnswer."""

    data: list[Schedule]
    """Schedules, oldest first."""


class Schedule(Answer):
    """A run or a drift trial that the service starts at set times."""

    id: str
    """Id of the schedule."""
    project_id: str
    """Id of its project."""
    name: str
    """Name of the schedule, and of its runs."""
    cron: str
    """Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart."""
    time_zone: str
    """Time zone of the expression, by its IANA name such as Europe/Athens."""
    task: ScheduleTask1 | ScheduleTask2
    """What the service starts."""
    paused: bool
    """Whether nothing is started."""
    next_at: str | None
    """Next time; null while it is paused or if there is none."""
    last_at: str | None
    """When it was last due."""
    last_run_id: str | None
    """Run that it then started."""
    last_error: str | None
    """Why nothing was started at the last time."""
    merged: bool | None
    """Only after runNow. true: it was due already and had not started yet, so both start one run."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it last changed."""


class ScheduleTask1(Answer):
    """ScheduleTask1."""

    kind: Literal["run"]
    """Starts a run that the service executes."""
    testset_id: str
    """Testset of the run."""
    snapshot: int | None
    """Number of the snapshot that each run is about; default the testset as it is then."""
    split: str | None
    """Split of the testset that the run is about; default all testcases."""
    system_id: str
    """System that is called, with the version that is then its production version."""
    metric_ids: list[str]
    """Metrics that score each record."""
    trials: int | None
    """Number of trials of each testcase; default 1."""
    simulation: ScheduleTask1Simulation | None
    """Makes each record a conversation with a simulated user (docs/simulating.md)."""
    judge_budget_usd: float | None
    """Budget of the judges of each run in US dollars; default no limit."""


class ScheduleTask1Simulation(Answer):
    """Makes each record a conversation with a simulated user (docs/simulating.md)."""

    user_version_id: str
    """System version that plays the user. It stays the same, so that results of different nights compare."""
    max_turns: int | None
    """Maximum number of replies of the system in one conversation."""


class ScheduleTask2(Answer):
    """ScheduleTask2."""

    kind: Literal["drift"]
    """Starts a drift trial of a judge."""
    metric_id: str
    """Metric with pinned records."""


class ScoreDetail(Answer):
    """A score with everything known about its origin."""

    record_id: str
    """Id of the record."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: str
    """pending, scored, unscored or failed."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    last_error: str | None
    """Error of the last attempt."""
    num_attempts: int
    """Number of attempts."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    evidence: dict[str, Any] | None
    """Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record."""
    updated_at: str
    """When the state last changed."""
    history: list[ScoreDetailHistoryItem]
    """Replaced scores, newest first."""


class ScoreDetailHistoryItem(Answer):
    """ScoreDetailHistoryItem."""

    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: str
    """pending, scored, unscored or failed."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    evidence: dict[str, Any] | None
    """Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record."""
    scored_at: str
    """When it was given."""
    replaced_at: str
    """When it was replaced."""


class SpanScoreDetail(Answer):
    """Score of a span with its evidence and the verdicts that it replaced."""

    record_id: str
    """Id of the record."""
    trace_id: str
    """Id of the trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the score. Only a scored one has a value; a failed judge does not count as a no."""
    passed: bool | None
    """Whether the value reaches the metric's threshold; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    updated_at: str
    """When the state last changed."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """Why the score does not fit the metric; null if it fits."""
    evidence: dict[str, Any] | None
    """Evidence of the score, as in the score of a record."""
    history: list[SpanScoreDetailHistoryItem]
    """Verdicts of this span by this configuration that were replaced, newest first."""


class SpanScoreDetailHistoryItem(Answer):
    """SpanScoreDetailHistoryItem."""

    state: str
    """pending, scored, unscored or failed."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    evidence: dict[str, Any] | None
    """Evidence of the score. For a model: the model asked and the model that answered, the prompt as sent, the raw reply, tokens, cost, latency and hash of the input (docs/judges.md). For code: what was cut from the trace and, on one record of each batch, the time per record."""
    scored_at: str
    """When it was given."""
    replaced_at: str
    """When it was replaced."""


class ListSpanScoresAnswer(Answer):
    """ListSpanScoresAnswer."""

    data: list[SpanScore]
    """Scores of the spans of the record, by metric."""
    to_score: list[ListSpanScoresAnswerToScoreItem]
    """Spans that human metrics of the project choose, with or without a score."""


class SpanScore(Answer):
    """Score of a span of a record by a metric that scores spans."""

    record_id: str
    """Id of the record."""
    trace_id: str
    """Id of the trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the score. Only a scored one has a value; a failed judge does not count as a no."""
    passed: bool | None
    """Whether the value reaches the metric's threshold; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    updated_at: str
    """When the state last changed."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """Why the score does not fit the metric; null if it fits."""


class ListSpanScoresAnswerToScoreItem(Answer):
    """ListSpanScoresAnswerToScoreItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    output_type: Literal["int", "float", "boolean"]
    """Kind of score."""
    trace_id: str
    """Id of the trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""


class UpsertScoresAnswer(Answer):
    """UpsertScoresAnswer."""



class UpsertScoresAnswerItemsItem(Answer):
    """UpsertScoresAnswerItemsItem."""

    record_id: str
    """Id of the record."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""


class SignInLinkTarget(Answer):
    """The member whom a sign-in link is for."""

    organization: SignInLinkTargetOrganization
    """Organization of the member."""
    user: Member
    passwordless: bool
    """Whether it asks a person who came by single sign-on if they enter the organization. Such a link takes no password."""
    replaced_session: SignInLinkTargetReplacedSession | None
    """Session of another member in this browser, which the link would replace; null if none."""


class SignInLinkTargetOrganization(Answer):
    """Organization of the member."""

    id: str
    """Id of the organization."""
    name: str
    """Name of the organization."""


class SignInLinkTargetReplacedSession(Answer):
    """SignInLinkTargetReplacedSession."""

    email: str
    """E-mail address of its member."""
    organization_name: str
    """Name of its organization."""


class SignIn(Answer):
    """Sign-in of a person. The answer sets the cookie of its session."""

    id: str
    """Id of the sign-in."""
    user: Member
    expires_at: str
    """When it expires."""
    organizations: list[MeOrganizationsItem]
    """Organizations of the person, the current one included, by name. Empty for a key, which belongs to one organization."""


class SignInOptions(Answer):
    """The ways to sign in."""

    has_passwords: bool
    """Whether members can sign in with a password."""
    sso: SignInOptionsSso | None
    """Single sign-on; null when it is off."""


class SignInOptionsSso(Answer):
    """SignInOptionsSso."""

    name: str
    """Name of the provider."""
    path: str
    """Path that begins the sign-in in a browser."""


class SingleSignOn(Answer):
    """How single sign-on is set. The environment of the service sets it."""

    on: bool
    """Whether people can sign in with a provider of OpenID Connect."""
    required: bool
    """Whether passwords are off."""
    provider: SingleSignOnProvider | None
    """How the provider is set; null when single sign-on is off."""


class SingleSignOnProvider(Answer):
    """SingleSignOnProvider."""

    name: str
    """Name of the provider on the sign-in page."""
    issuer: str
    """Issuer of the provider."""
    client_id: str
    """Id of this service at the provider."""
    redirect_uri: str
    """Address that the provider must allow."""
    logout_uri: str
    """Address that the provider calls when it ends a session."""
    scopes: str
    """Scopes of the sign-in."""
    groups_claim: str
    """Claim of the ID token that lists the groups."""
    num_groups: int
    """Number of groups that give a role."""
    default_role: Literal["admin", "member", "annotator", "viewer", None]
    """Role of people whose groups give none; null: only members can sign in."""
    trusts_email: bool
    """Whether each address of the provider counts as verified."""


class SimulateUserAnswer(Answer):
    """SimulateUserAnswer."""

    messages: list[SimulateUserAnswerMessagesItem]
    """Next message of the simulated user."""


class SimulateUserAnswerMessagesItem(Answer):
    """SimulateUserAnswerMessagesItem."""

    role: Literal["user"]
    """The simulated user."""
    content: str
    """The text of the message."""


class System(Answer):
    """An AI system under test, with its versions."""

    id: str
    """Id of the system."""
    name: str
    """Name, unique in the project."""
    description: str
    """Description of the system."""
    production_version: SystemVersion
    versions: list[SystemVersionsItem]
    """All versions, oldest first."""


class SystemVersion(Answer):
    """One immutable configuration of a system."""

    id: str
    """Id of the version."""
    system_id: str
    """Id of the system."""
    name: str
    """Name of the version."""
    config: dict[str, Any]
    """Configuration of this version: model, prompt, parameters; any JSON object."""


class SystemVersionsItem(Answer):
    """SystemVersionsItem."""

    id: str
    """Id of the version."""
    name: str
    """Name of the version."""


class TrySystemAnswer(Answer):
    """TrySystemAnswer."""

    state: Literal["answered", "failed"]
    """Whether the system answered."""
    outputs: dict[str, Any] | None
    """Outputs of the system; null when it failed."""
    error: str | None
    """Why the system failed; null when it answered."""
    latency_ms: float
    """Time of the answer in milliseconds."""
    input_tokens: float | None
    """Tokens that the system read; null if it did not report them."""
    output_tokens: float | None
    """Tokens that the system wrote; null if it did not report them."""
    cost_usd: float | None
    """Cost of the call in US dollars, with that of the simulated user; null when unknown."""


class SystemVersionDetails(Answer):
    """A version of a system with its labels and its note."""

    id: str
    """Id of the version."""
    system_id: str
    """Id of the system."""
    system_name: str
    """Name of the system."""
    name: str
    """Name of the version."""
    note: str
    """Why the version was made; empty if no reason was given."""
    labels: list[str]
    """Labels that point to it: production, latest for the newest version, and those of the team."""
    protected_labels: list[str]
    """Labels of the system that only admins of the project move."""
    created_at: str
    """When it was created."""
    config: dict[str, Any]
    """Configuration of this version: model, prompt, parameters; any JSON object."""
    variables: list[str]
    """Inputs that its prompt reads by name."""


class ProjectTag(Answer):
    """A tag of a project's records."""

    text: str
    """The tag."""
    num_records: int
    """Number of records with the tag."""


class ListRecordTagsAnswer(Answer):
    """ListRecordTagsAnswer."""

    data: list[RecordTag]
    """All tags of the record."""


class RecordTag(Answer):
    """A tag on a record."""

    id: str
    """Id of the tag on this record."""
    record_id: str
    """Id of the record."""
    text: str
    """The tag."""
    source: Literal["user", "otel"]
    """Origin of the tag: a user of the API, or a trace."""
    user_id: str | None
    """Id of the user who added it; null for a trace."""
    created_at: str
    """When it was added."""


class DeleteRecordTagAnswer(Answer):
    """DeleteRecordTagAnswer."""

    deleted: float
    """Number of tags removed, 0 or 1."""


class ListedTestset(Answer):
    """A testset without its schema, and how large it is."""

    id: str
    """Id of the testset."""
    name: str
    """Name of the testset."""
    description: str
    """Description of the testset."""
    field_mapping: RunComparisonRunsItemTestsetFieldMapping
    """Meaning of the top-level fields of a testcase."""
    num_testcases: int
    """Testcases that it has."""
    created_at: str
    """When the testset was created."""


class Testset(Answer):
    """A set of testcases that share one schema."""

    id: str
    """Id of the testset."""
    name: str
    """Name of the testset."""
    description: str
    """Description of the testset."""
    json_schema: dict[str, Any]
    """JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused."""
    field_mapping: RunComparisonRunsItemTestsetFieldMapping
    """Meaning of the top-level fields of a testcase."""


class Testcase(Answer):
    """A test case for the system: its input and the expected output."""

    id: str
    """Id of the testcase, `<testset>-<n>`."""
    testset_id: str
    """Id of its testset."""
    json_data: dict[str, Any]
    """The testcase as sent."""
    inputs: dict[str, Any]
    """The fields of jsonData that the testset maps to inputs."""
    expected: dict[str, Any]
    """The fields of jsonData that the testset maps to expected."""
    split: str | None
    """Its split; absent without one."""
    tags: list[str] | None
    """Its tags; absent without any."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""


class Seal(Answer):
    """A split of a testset that no member, judge page or agent reads until its looks are spent."""

    id: str
    """Id of the sealed split."""
    testset_id: str
    """Its testset."""
    state: Literal["sealed", "opening", "opened"]
    """sealed: no one reads it. opening: its budget is spent, and it opens now. opened: its testcases are in the testset again."""
    split: str
    """Split that the testcases get when they open."""
    num_testcases: int
    """Testcases that it has."""
    probability: float | None
    """Probability with which each record of the traffic was drawn; null for testcases that existed."""
    num_seen: int
    """Those that were in runs before they were sealed: people may know them."""
    baseline_version_id: str
    """Version that looks compare with."""
    metrics: list[SealMetricsItem]
    """Metrics that decide."""
    alpha: float
    """Chance that any look errs, at most. Look t has t^-1.5 of it, divided by 2.612."""
    margin: float
    """Loss that a version may have and still pass, such as 0.02. With 0 it passes only if it is shown to be better."""
    max_looks: int
    """Looks until the split opens."""
    num_looks: int
    """Looks until now."""
    opened_project_id: str | None
    """Project with the runs of its looks; null before it opens, and without a look."""
    created_by_user_id: str
    """Member who sealed it."""
    created_at: str
    """When it was sealed."""
    opened_at: str | None
    """When it opened; null before."""
    sentence: str
    """The same in words."""


class SealMetricsItem(Answer):
    """SealMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Its name when the split was sealed."""
    difference: float
    """Difference of the best version until now from the baseline, rounded to its noise. It moves only when a version beats the best by more than the noise."""


class SealedLook(Answer):
    """A look at a sealed split. It says no more than this of the testcases."""

    seal_id: str
    """Its sealed split."""
    number: int
    """Number of the look, from 1."""
    num_left: int
    """Looks that are left."""
    system_version_id: str
    """Version that was looked at."""
    level: float
    """The part of alpha at which it was tested, on both sides."""
    answer: Literal["pass", "worse", "not enough", None]
    """The answer; null while the version is called and scored."""
    reason: str | None
    """Why there is no other answer; null otherwise."""
    metrics: list[SealedLookMetricsItem]
    """The answers by metric; empty until there is one."""
    user_id: str
    """Member who asked."""
    created_at: str
    """When it was asked."""
    answered_at: str | None
    """When it was answered; null before."""
    sentence: str
    """The same in words."""


class SealedLookMetricsItem(Answer):
    """SealedLookMetricsItem."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Its name."""
    answer: Literal["pass", "worse", "not enough"]
    """pass: better than the baseline, or no worse by more than the margin. worse: worse than that. not enough: neither is shown."""
    difference: float
    """Difference of the best version until then from the baseline, rounded to its noise."""
    improved: bool
    """Whether this version is the best, and moved the difference."""


class TestsetCounts(Answer):
    """What a testset has."""

    num_testcases: int
    """Number of testcases."""
    num_invalid: int
    """Testcases that do not match the schema."""
    splits: list[TestsetCountsSplitsItem]
    """The splits, largest first."""
    tags: list[TestsetCountsTagsItem]
    """The 100 most frequent tags."""


class TestsetCountsSplitsItem(Answer):
    """TestsetCountsSplitsItem."""

    split: str
    """Name of the split."""
    num_testcases: int
    """Number of testcases."""


class TestsetCountsTagsItem(Answer):
    """TestsetCountsTagsItem."""

    tag: str
    """The tag."""
    num_testcases: int
    """Number of testcases."""


class TestcaseDrafts(Answer):
    """Testcases that a model wrote, for review."""

    drafts: list[TestcaseDraftsDraftsItem]
    """Drafts in the order of the model. Nothing is stored."""
    num_compared: int
    """Number of testcases that the drafts were compared with."""
    model_name: str
    """Model that wrote them."""
    error: str | None
    """Why there are no drafts; null if the model answered."""
    input_tokens: float | None
    """Input tokens of the call."""
    output_tokens: float | None
    """Output tokens of the call."""
    cost_usd: float | None
    """Cost of the call in US dollars; null if unknown."""


class TestcaseDraftsDraftsItem(Answer):
    """TestcaseDraftsDraftsItem."""

    json_data: dict[str, Any]
    """The testcase, to be sent to createTestcases once someone has read it. Its field `origin` is `generated`: name it as metadata of the testset, so that runs show the rate of these testcases apart."""
    similar_to: str | None
    """Id of the testcase that it nearly repeats, or `draft 1` for an earlier draft; null if it repeats none."""
    similarity: float
    """Share of trigrams that it has in common with the most similar one, from 0 to 1."""


class FreshTestcase(Answer):
    """A testcase that no version was chosen by. It waits outside of the testset until a run takes it."""

    number: int
    """Its number among the fresh testcases of the testset."""
    testset_id: str
    """Id of its testset."""
    json_data: dict[str, Any] | None
    """The testcase as sent; absent once a run took it: its testcase has it."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""
    inclusion_probability: float | None
    """Chance with which it was drawn from the traffic; null for one that was added."""
    record_id: str | None
    """Record of the traffic that it was made of; null for one that was added."""
    run_id: str | None
    """Run that took it and for which alone it is fresh; null while it waits."""
    testcase_id: str | None
    """Testcase that it became; null while it waits."""
    created_at: str
    """When it was added."""


class FreshTestcasesCreated(Answer):
    """Fresh testcases that were added."""

    numbers: list[int]
    """Their numbers, in the order sent."""
    num_misfits: int
    """Those that break the schema: no run takes them."""


class FreshDraw(Answer):
    """Fresh testcases that were drawn from the traffic, each record with the same chance."""

    num_records: int
    """Records of the traffic that could be drawn, the newest 100,000 at most."""
    num_drawn: int
    """Records that were drawn."""
    inclusion_probability: float | None
    """Chance of each of them to be drawn; null without any."""
    num_misfits: int
    """Drawn ones that break the schema of the testset, often because traffic has no expected answer. No run takes them."""
    numbers: list[int]
    """Numbers of the new fresh testcases; none of a preview."""
    first: list[dict[str, Any]]
    """The first five."""


class TestsetSettings(Answer):
    """Which testcases of a testset depend on each other, for example by a shared document, conversation or author."""

    grouping_field: str | None
    """Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups."""
    split_rules: list[TestsetSettingsSplitRulesItem]
    """Which split a testcase gets that has none. The first rule that fits decides. Setting them splits the testcases that have no split; later ones get theirs when they are created."""


class TestsetSettingsSplitRulesItem(Answer):
    """TestsetSettingsSplitRulesItem."""

    split: str
    """Name of the split, such as dev or test."""
    q: str | None
    """A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md)."""
    share: float | None
    """Share of the testcases. It is drawn by the group of a testcase, so that no group is in two splits; the shares of the rules are of different testcases."""


class Snapshot(Answer):
    """A testset as it was at one time."""

    number: int
    """Number of the snapshot, within its testset."""
    testset_id: str
    """Id of the testset."""
    name: str
    """Name of the snapshot; empty without one."""
    hash: str
    """SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed)."""
    current: bool
    """Whether the testset still has exactly these testcases."""
    num_testcases: int
    """Number of testcases."""
    num_added: int
    """Testcases that the snapshot before lacks."""
    num_changed: int
    """Testcases that the snapshot before has with another text, split or tag."""
    num_removed: int
    """Testcases that only the snapshot before has."""
    num_erased: int
    """Testcases whose texts were erased since. The hash stays as it was."""
    num_runs: int
    """Runs that started with these testcases."""
    made_by: Literal["member", "run", "restore"]
    """member: a member asked for it. run: a run started. restore: an older snapshot was about to be restored."""
    created_by_user_id: str | None
    """Member who made it; null if the service did."""
    created_at: str
    """When it was made."""


class TestcaseDifference(Answer):
    """A testcase that differs between two snapshots."""

    testcase_id: str
    """Id of the testcase."""
    change: Literal["added", "changed", "removed"]
    """What happened to it from the first to the second."""
    before: TestcaseDifferenceBefore | None
    """The testcase in the first snapshot; null if it is not there."""
    after: TestcaseDifferenceBefore | None
    """The testcase in the second snapshot; null if it is not there."""


class TestcaseDifferenceBefore(Answer):
    """TestcaseDifferenceBefore."""

    revision: int
    """Revision of the testcase."""
    split: str | None
    """Its split; null without one."""
    tags: list[str]
    """Its tags."""
    json_data: dict[str, Any] | None
    """The testcase; null if its text was erased."""


class SnapshotRestored(Answer):
    """What restoring a snapshot changed."""

    before: int
    """Number of the snapshot of what the testset was before."""
    num_added: int
    """Testcases that are there again."""
    num_changed: int
    """Testcases that have their former text, split and tags again."""
    num_removed: int
    """Testcases that are no longer there."""


class CreateTestcasesAnswer(Answer):
    """CreateTestcasesAnswer."""



class TestcasesMarked(Answer):
    """How many testcases got a split or tags."""

    num_testcases: int
    """Testcases that fit."""
    num_changed: int
    """Those whose split or tags changed."""


class TraceSession(Answer):
    """A session: traces with one session id."""

    session_id: str
    """Id of the session, as its traces name it."""
    user_id: str | None
    """User that its traces name."""
    record_id: str | None
    """Record of the session."""
    input: str | None
    """The beginning of its first input."""
    num_traces: int
    """Number of its traces."""
    num_errors: int
    """Number of failed spans."""
    input_tokens: float | None
    """Input tokens of the calls of models; null when none was reported."""
    output_tokens: float | None
    """Output tokens of the calls of models."""
    cost_usd: float | None
    """Cost in US dollars: as reported, else computed from tokens by the price table."""
    first_seen: str
    """Start of its first trace."""
    last_seen: str
    """End of its last trace."""


class Span(Answer):
    """A span of a trace."""

    trace_id: str
    """Id of its trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    parent_span_id: str | None
    """Id of its parent; null for a root."""
    name: str
    """Name of the span."""
    service: str
    """service.name of its resource; empty without one."""
    kind: Literal["unspecified", "internal", "server", "client", "producer", "consumer"]
    """Kind of the span in OpenTelemetry."""
    operation: Literal["chat", "tool", "agent", "chain", "embedding", "retrieval", None]
    """Operation, if its attributes name one."""
    model_name: str | None
    """Model that answered, else the model that was asked."""
    failed: bool
    """Whether it failed."""
    start_time: str
    """When it started: ISO 8601, UTC, nanoseconds."""
    end_time: str | None
    """When it ended; null while it is open."""
    duration_ms: float | None
    """Milliseconds from start to end; null while it is open, and if it ends before it starts."""
    record_id: str | None
    """Record that it belongs to; null while that record does not exist."""


class Trace(Answer):
    """A trace with its sums and the scores of its record."""

    trace_id: str
    """Id of the trace, 32 hexadecimal digits."""
    name: str | None
    """Name of its root span."""
    service: str | None
    """service.name of its root span; empty without one."""
    model_name: str | None
    """Model that answered in it; the first by name if there are several."""
    start_time: str
    """When it started: ISO 8601, UTC, nanoseconds."""
    duration_ms: float | None
    """Milliseconds from its first start to its last end; null if no span has ended."""
    num_spans: int
    """Number of its spans."""
    num_errors: int
    """Number of its failed spans."""
    input_tokens: float | None
    """Input tokens of the calls of models; null when none was reported."""
    output_tokens: float | None
    """Output tokens of the calls of models."""
    cost_usd: float | None
    """Cost in US dollars: as reported, else computed from tokens by the price table."""
    input: str | None
    """The beginning of its input, as one line of at most 300 characters."""
    output: str | None
    """The beginning of its output."""
    session_id: str | None
    """Session that it belongs to."""
    user_id: str | None
    """User that it names."""
    record_id: str | None
    """Its record; null while that record does not exist."""
    score_states: list[TraceScoreState]
    """State of every score of its record."""


class TraceScoreState(Answer):
    """State and score of one metric on the record of a trace. If the record has several traces, a metric of spans has the lowest score of the spans of this trace, once all spans of the record have theirs."""

    metric_id: str
    """Id of the metric."""
    metric_name: str
    """Name of the metric."""
    metric_config_id: str
    """Configuration of the metric that gave the score."""
    state: Literal["pending", "scored", "unscored", "failed"]
    """State of the score. Only a scored one has a value; a failed judge does not count as a no."""
    passed: bool | None
    """Whether the value reaches the metric's threshold; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why it is unscored or failed."""
    validation_errors: list[ScoreValidationErrorsItem] | None
    """What does not fit the metric; absent if everything fits."""
    scored_by_user_id: str | None
    """Id of the member who gave the score, in person or with a key."""
    made_by: Literal["person", "client", "model", "code", None]
    """Who made the score: a person, a client that did not say who did, a model, or code. Null without a score."""
    updated_at: str
    """When the state last changed."""
    whose: Literal["trace", "record"]
    """trace: what it says is about this trace alone. record: it is about all traces of the record, such as those of a session."""


class GetTraceConversationAnswer(Answer):
    """GetTraceConversationAnswer."""

    data: list[ConversationEntry]
    """The messages, each once: first the main conversation, then that of each sub-agent."""
    agents: list[GetTraceConversationAnswerAgentsItem]
    """The sub-agents."""
    spans: list[CalledSpan] | None
    """With `spans=true`: all spans in the order of the tree."""
    truncated: bool
    """Whether there is more than shown here."""


class ConversationEntry(Answer):
    """A message of a conversation."""

    role: str
    """system, user, assistant, tool, or another word of the sender."""
    content: str
    """Text of the message."""
    reasoning: str | None
    """Reasoning of the model before its answer."""
    tool_calls: list[ConversationEntryToolCallsItem] | None
    """Tool calls of the model."""
    tool_call_id: str | None
    """Id of the tool call that this answers."""
    name: str | None
    """Name of the tool that answers."""
    media: list[Any] | None
    """Parts that are not text, as received."""
    trace_id: str
    """Trace of the message."""
    span_id: str
    """First span with the message."""
    agent_span_id: str | None
    """Span of the sub-agent whose conversation it belongs to; null for the main conversation."""
    path: str | None
    """JSON Pointer to the text in the span as getSpan returns it, for annotations of a passage; null if the span does not have it."""
    time: str
    """Time of the message."""
    model_name: str | None
    """Model of the span."""
    error: str | None
    """Error of the span; null if it did not fail."""


class ConversationEntryToolCallsItem(Answer):
    """ConversationEntryToolCallsItem."""

    id: str | None
    """Id of the call."""
    name: str
    """Name of the tool."""
    arguments: Any
    """Arguments of the call."""


class GetTraceConversationAnswerAgentsItem(Answer):
    """GetTraceConversationAnswerAgentsItem."""

    trace_id: str
    """Trace of the agent."""
    span_id: str
    """Span of the agent."""
    name: str
    """Name of the agent."""
    parent_agent_span_id: str | None
    """Span of the sub-agent that it works for; null for the main agent."""
    error: str | None
    """Error; null if it did not fail."""


class CalledSpan(Answer):
    """A span with what its call used and answered."""

    trace_id: str
    """Id of its trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    parent_span_id: str | None
    """Id of its parent; null for a root."""
    name: str
    """Name of the span."""
    service: str
    """service.name of its resource; empty without one."""
    kind: Literal["unspecified", "internal", "server", "client", "producer", "consumer"]
    """Kind of the span in OpenTelemetry."""
    operation: Literal["chat", "tool", "agent", "chain", "embedding", "retrieval", None]
    """Operation, if its attributes name one."""
    model_name: str | None
    """Model that answered, else the model that was asked."""
    failed: bool
    """Whether it failed."""
    start_time: str
    """When it started: ISO 8601, UTC, nanoseconds."""
    end_time: str | None
    """When it ended; null while it is open."""
    duration_ms: float | None
    """Milliseconds from start to end; null while it is open, and if it ends before it starts."""
    call: CalledSpanCall | None
    """What the call of a model or a tool used, its error and its tool; null for other spans."""


class CalledSpanCall(Answer):
    """CalledSpanCall."""

    provider: str | None
    """Provider of the model."""
    input_tokens: float | None
    """Input tokens."""
    output_tokens: float | None
    """Output tokens."""
    cached_input_tokens: float | None
    """Input tokens that were read from a cache."""
    reasoning_tokens: float | None
    """Output tokens that were spent on reasoning."""
    cost_usd: float | None
    """Cost in US dollars: as the sender reported it, else computed for a call of a model."""
    cost_computed: bool
    """Whether the cost was computed from the tokens by the price table, since the sender reported none."""
    error: str | None
    """Error, if the sender reported one."""
    tool: CalledSpanCallTool | None
    """Tool that it called; null without one."""


class CalledSpanCallTool(Answer):
    """CalledSpanCallTool."""

    id: str | None
    """Id of the call."""
    name: str
    """Name of the tool."""
    arguments: Any
    """Arguments of the call."""
    result: Any
    """Result of the call."""


class ListTraceSpansAnswer(Answer):
    """ListTraceSpansAnswer."""

    data: list[TreeSpan]
    """The spans in the order of the tree: each after its parent, siblings by start."""
    truncated: bool
    """Whether there is more than shown here."""


class TreeSpan(Answer):
    """A span and its place in the tree of a record."""

    trace_id: str
    """Id of its trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    parent_span_id: str | None
    """Id of its parent; null for a root."""
    name: str
    """Name of the span."""
    service: str
    """service.name of its resource; empty without one."""
    kind: Literal["unspecified", "internal", "server", "client", "producer", "consumer"]
    """Kind of the span in OpenTelemetry."""
    operation: Literal["chat", "tool", "agent", "chain", "embedding", "retrieval", None]
    """Operation, if its attributes name one."""
    model_name: str | None
    """Model that answered, else the model that was asked."""
    failed: bool
    """Whether it failed."""
    start_time: str
    """When it started: ISO 8601, UTC, nanoseconds."""
    end_time: str | None
    """When it ended; null while it is open."""
    duration_ms: float | None
    """Milliseconds from start to end; null while it is open, and if it ends before it starts."""
    depth: int
    """Depth below the root."""
    parent_missing: bool
    """Whether its parent has not arrived. The span is then shown as a root."""


class SpanDetail(Answer):
    """A span with all its data."""

    trace_id: str
    """Id of its trace, 32 hexadecimal digits."""
    span_id: str
    """Id of the span, 16 hexadecimal digits."""
    parent_span_id: str | None
    """Id of its parent; null for a root."""
    name: str
    """Name of the span."""
    service: str
    """service.name of its resource; empty without one."""
    kind: Literal["unspecified", "internal", "server", "client", "producer", "consumer"]
    """Kind of the span in OpenTelemetry."""
    operation: Literal["chat", "tool", "agent", "chain", "embedding", "retrieval", None]
    """Operation, if its attributes name one."""
    model_name: str | None
    """Model that answered, else the model that was asked."""
    failed: bool
    """Whether it failed."""
    start_time: str
    """When it started: ISO 8601, UTC, nanoseconds."""
    end_time: str | None
    """When it ended; null while it is open."""
    duration_ms: float | None
    """Milliseconds from start to end; null while it is open, and if it ends before it starts."""
    record_id: str | None
    """Record that it belongs to; null while that record does not exist."""
    provider: str | None
    """Provider of the model."""
    input_tokens: float | None
    """Input tokens."""
    output_tokens: float | None
    """Output tokens."""
    cached_input_tokens: float | None
    """Input tokens that were read from a cache."""
    reasoning_tokens: float | None
    """Output tokens that were spent on reasoning."""
    cost_usd: float | None
    """Cost in US dollars: as the sender reported it, else computed for a call of a model."""
    cost_computed: bool
    """Whether the cost was computed from the tokens by the price table, since the sender reported none."""
    error: str | None
    """Error, if the sender reported one."""
    input: list[SpanDetailInputItem]
    """Input messages."""
    output: list[SpanDetailInputItem]
    """Output messages."""
    tool: CalledSpanCallTool | None
    """Tool that it called; null without one."""
    trace_state: str
    """W3C trace state."""
    dropped: SpanDetailDropped
    """Numbers of items that the sender dropped."""
    attributes: dict[str, Any]
    """Attributes as received."""
    events: list[dict[str, Any]]
    """Events as received."""
    links: list[dict[str, Any]]
    """Links to other spans, as received."""
    resource: dict[str, Any]
    """Attributes as received."""
    scope: dict[str, Any]
    """Instrumentation scope: name, version, attributes."""


class SpanDetailInputItem(Answer):
    """SpanDetailInputItem."""

    role: str
    """system, user, assistant, tool, or another word of the sender."""
    content: str
    """Text of the message."""
    reasoning: str | None
    """Reasoning of the model before its answer."""
    tool_calls: list[ConversationEntryToolCallsItem] | None
    """Tool calls of the model."""
    tool_call_id: str | None
    """Id of the tool call that this answers."""
    name: str | None
    """Name of the tool that answers."""
    media: list[Any] | None
    """Parts that are not text, as received."""


class SpanDetailDropped(Answer):
    """Numbers of items that the sender dropped."""

    num_attributes: int
    """Attributes."""
    num_events: int
    """Events."""
    num_links: int
    """Links."""


class TraceUser(Answer):
    """A user of the system, as traces name them."""

    user_id: str
    """Id of the user, as the traces name it."""
    num_sessions: int
    """Number of sessions."""
    num_traces: int
    """Number of its traces."""
    num_errors: int
    """Number of failed spans."""
    input_tokens: float | None
    """Input tokens of the calls of models; null when none was reported."""
    output_tokens: float | None
    """Output tokens of the calls of models."""
    cost_usd: float | None
    """Cost in US dollars: as reported, else computed from tokens by the price table."""
    first_seen: str
    """Start of its first trace."""
    last_seen: str
    """End of its last trace."""


Trial: TypeAlias = "PinnedTrial | Rescoring"


class PinnedTrial(Answer):
    """Candidates that decide the pinned records of a metric beside its judge."""

    number: int
    """Number of the trial, within its metric."""
    metric_id: str
    """Id of the metric."""
    kind: Literal["drift", "succession", "alignment", "battery"]
    """drift: tests the judge in use again. succession: looks for another judge that decides alike. alignment: looks for a prompt that people agree with more often. battery: tests whether edits that keep the truth change verdicts."""
    state: Literal["running", "ready", "adopted", "discarded"]
    """running: verdicts are pending. ready: it can be decided. adopted: a candidate became the configuration. discarded: nothing changed."""
    metric_config_id: str
    """Configuration of the judge in use, which gave the pinned verdicts."""
    eval_model_name: str | None
    """Model of the judge in use; null for code."""
    margin: float | None
    """Largest difference of pass rates that counts as none; null for a drift trial."""
    level: float
    """Confidence level."""
    seed: float | None
    """Seed that split the labels of an alignment; null for other trials."""
    split: Literal["dev", "test", None]
    """Labels on which prompts by a person are tested: dev for tuning, or test for the check; null for other trials."""
    run_ids: list[str]
    """Stored runs on which the candidates were tried too."""
    created_by_user_id: str | None
    """User who started it; null if the service did."""
    created_at: str
    """When it was started."""
    labels: PinnedTrialLabels
    """Labels of the trial."""
    stopped: bool
    """Whether pending verdicts wait because the budget of the trial is used up."""
    battery: JudgePassportPayloadBattery | None
    """What a battery found, kept for good; null in other trials, and while verdicts are pending."""
    cost_usd: float | None
    """Mean cost of a pinned verdict of the judge in use."""
    latency_ms: float | None
    """Mean duration of its pinned verdicts in milliseconds."""
    candidates: list[PinnedTrialCandidatesItem]
    """Candidates, in the order of the request."""
    proposed_config_id: str | None
    """Configuration to adopt: in a succession the cheapest equivalent one, in an alignment the best one that is shown to be better. Null without one."""
    sentence: str
    """The verdict of the trial in words."""
    adopted: PinnedTrialAdopted | None
    """The adopted candidate with what the trial found; null without one."""
    ended_by_user_id: str | None
    """User who adopted a candidate or discarded the trial."""
    ended_at: str | None
    """When it was adopted or discarded."""


class PinnedTrialLabels(Answer):
    """Labels of the trial."""

    num_tested: int
    """Number of labelled records that the result rests on."""
    num_human_passes: int
    """Number of them that people pass."""
    num_for_tuning: int
    """Number of labelled records for tuning. Nothing is claimed from them."""


class PinnedTrialCandidatesItem(Answer):
    """PinnedTrialCandidatesItem."""

    metric_config_id: str
    """Configuration of the candidate."""
    how: Literal["current", "model", "examples", "rewrite", "reference", "placebo", "padding", "order", "author", "authority", "format", "language"]
    """How it was made. current: the judge in use. model: given in the request. examples: disagreements as examples. rewrite: guidelines that a model rewrote. reference and placebo: the records as they are, judged twice by the tested judge; in an alignment, reference is the saved prompt, where it had no verdict. padding and others: the records with this edit."""
    eval_model_name: str | None
    """Model that judges; null for code."""
    temperature: float | None
    """Temperature; null for code."""
    judge_repeats: int
    """How often the judge is asked."""
    prompt_template: str | None
    """Prompt; null for code."""
    guidelines: str
    """How to score."""
    run_id: str | None
    """Run with copies of the pinned records and the new verdicts; null once it was deleted."""
    served_model_names: list[str]
    """Models that answered, as named by their provider."""
    num_pending: int
    """Number of verdicts still pending."""
    cost_usd: float | None
    """Mean cost of a verdict in US dollars; null if one is unknown."""
    latency_ms: float | None
    """Mean duration of a verdict in milliseconds."""
    drift: PinnedTrialCandidatesItemDrift | None
    """Comparison of the judge in use with its pinned verdicts; null in other trials, while verdicts are pending, and if the run was deleted before they were complete. If the run is deleted later, the comparison at the level 0.95 is kept."""
    equivalence: PinnedTrialCandidatesItemEquivalence | None
    """Comparison with the judge in use; null in a drift trial, while verdicts are pending, and once the run was deleted."""
    agreement: PinnedTrialCandidatesItemAgreement | None
    """Comparison of the agreement with people; null in a drift trial, while verdicts are pending, and once the run was deleted."""
    bias: PinnedTrialCandidatesItemBias | None
    """Comparison of an edit with the placebo; null in other trials, for the reference and the placebo, while verdicts are pending, and once a run was deleted."""
    gates: list[PinnedTrialCandidatesItemGatesItem]
    """Comparisons of stored runs, by both judges. Empty once the run was deleted."""


class PinnedTrialCandidatesItemDrift(Answer):
    """The judge now, compared with its reference verdicts."""

    method: str
    """Method."""
    n: int
    """Number of pinned records that were decided again."""
    level: float
    """Confidence level."""
    agreement_before: float | None
    """Share of these records on which the reference agrees with people."""
    agreement_now: float | None
    """Share of these records on which the judge now agrees with people."""
    difference: float | None
    """agreementNow minus agreementBefore."""
    interval: Interval | None
    """Interval of the difference."""
    reason: str | None
    """Why there is no interval."""
    mcnemar: PinnedTrialCandidatesItemDriftMcnemar | None
    """Tests at level α/2 whether the judge agrees with people more or less often than before."""
    leniency: PinnedTrialCandidatesItemDriftLeniency | None
    """Tests at level α/2 whether the judge passes more or fewer records than before."""
    broken: list[str]
    """Records on which only the reference agrees with people."""
    mended: list[str]
    """Records on which only the judge now agrees with people."""
    unscored: list[str]
    """Records without a verdict in this trial."""
    verdict: Literal["drifted", "no drift seen"]
    """Conclusion."""
    sentence: str
    """The verdict in words."""
    assumption: str
    """Assumption of all numbers here."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class PinnedTrialCandidatesItemDriftMcnemar(Answer):
    """McNemar's test on the records that changed."""

    exact: float
    """Two-sided exact p."""
    mid_p: float
    """Two-sided mid-p. The verdict rests on it."""


class PinnedTrialCandidatesItemDriftLeniency(Answer):
    """PinnedTrialCandidatesItemDriftLeniency."""

    now_pass: int
    """Number of records that failed and now pass."""
    now_fail: int
    """Number of records that passed and now fail."""
    mcnemar: PinnedTrialCandidatesItemDriftMcnemar
    """McNemar's test on the records that changed."""


class PinnedTrialCandidatesItemEquivalence(Answer):
    """Whether a candidate decides as the judge in use does."""

    method: str
    """Method."""
    level: float
    """Confidence level."""
    margin: float
    """Largest difference of pass rates that counts as none."""
    passed_by_people: PinnedTrialCandidatesItemEquivalencePassedByPeople
    """Pass rates of both judges among the records that people pass."""
    failed_by_people: PinnedTrialCandidatesItemEquivalenceFailedByPeople
    """Pass rates of both judges among the records that people fail."""
    p: float | None
    """Largest p of the four one-sided tests."""
    adjusted_p: float | None
    """p, adjusted by Holm for all candidates of the trial."""
    verdict: Literal["equivalent", "not equivalent", "cannot tell"]
    """Conclusion."""
    sentence: str
    """The verdict in words."""
    assumption: str
    """Assumption of all numbers here."""
    caveats: list[EstimateCaveatsItem]
    """Warnings with their codes."""
    warnings: list[str]
    """Warnings for the reader: the sentences of `caveats`."""


class PinnedTrialCandidatesItemEquivalencePassedByPeople(Answer):
    """Pass rates of both judges among the records that people pass."""

    n: int
    """Number of records that both judges decided."""
    before: float | None
    """Share that the judge in use passes."""
    after: float | None
    """Share that the candidate passes."""
    difference: float | None
    """after minus before."""
    standard_error: float | None
    """Standard error of the difference."""
    interval: Interval | None
    """Interval of the difference at the level 1 − 2α, widened by the missing verdicts."""
    now_pass: int
    """Number of records that the candidate alone passes."""
    now_fail: int
    """Number of records that the judge in use alone passes."""
    missing: int
    """Number of records without a verdict of the candidate."""
    num_needed: int
    """Number of records with which 8 of 10 trials of two equal judges show that they are equivalent."""


class PinnedTrialCandidatesItemEquivalenceFailedByPeople(Answer):
    """Pass rates of both judges among the records that people fail."""

    n: int
    """Number of records that both judges decided."""
    before: float | None
    """Share that the judge in use passes."""
    after: float | None
    """Share that the candidate passes."""
    difference: float | None
    """after minus before."""
    standard_error: float | None
    """Standard error of the difference."""
    interval: Interval | None
    """Interval of the difference at the level 1 − 2α, widened by the missing verdicts."""
    now_pass: int
    """Number of records that the candidate alone passes."""
    now_fail: int
    """Number of records that the judge in use alone passes."""
    missing: int
    """Number of records without a verdict of the candidate."""
    num_needed: int
    """Number of records with which 8 of 10 trials of two equal judges show that they are equivalent."""


class PinnedTrialCandidatesItemAgreement(Answer):
    """Whether a candidate agrees with people more often."""

    n: int
    """Number of labelled records that both judges decided."""
    before: float | None
    """Share on which the judge in use agrees with people."""
    before_interval: Interval | None
    """Its interval."""
    now: float | None
    """Share on which the candidate agrees with people."""
    now_interval: Interval | None
    """Its interval."""
    difference: float | None
    """now minus before."""
    interval: Interval | None
    """Interval of the difference."""
    reason: str | None
    """Why there is no interval."""
    p: float | None
    """p of the difference."""
    adjusted_p: float | None
    """p, adjusted by Holm for all candidates of the trial."""
    minimum_detectable: float | None
    """Smallest difference that this number of labels can detect."""
    verdict: str
    """better, worse or cannot tell."""
    sentence: str
    """The verdict in words."""


class PinnedTrialCandidatesItemBias(Answer):
    """Whether an edit that keeps the truth changes the verdicts of a judge, beyond its own noise."""

    n: int
    """Number of pinned records with all three verdicts: as it is, as it is again, and edited."""
    num_undecided: int
    """Number of pinned records without one of them: the edit does not apply, or the judge gave no verdict."""
    num_flips: int
    """Number of edited records whose verdict differs from that of the record as it is."""
    num_placebo_flips: int
    """Number of the same records whose verdict differs when they are judged again as they are."""
    difference: float | None
    """Share of flips minus share of placebo flips."""
    interval: Interval | None
    """Its interval."""
    reason: str | None
    """Why there is no interval."""
    adjusted_p: float | None
    """p of no difference, adjusted by Holm for all edits of the battery."""
    num_to_pass: int
    """Number of records that fail as they are and pass edited."""
    num_to_fail: int
    """Number of records that pass as they are and fail edited."""
    direction: Literal["pass", "fail", "neither"]
    """Verdict to which the edit is shown to move records."""
    num_more_records: float | None
    """Number of further records that would decide it, if the difference stays; null if it is decided, or if they are too many."""
    minimum_detectable: float | None
    """Smallest share of flips beyond the placebo that 8 of 10 batteries with these records and this noise find; null if they are too few for any."""
    verdict: Literal["clear", "biased", "cannot tell"]
    """`clear`: the upper end of the interval is within the margin of the trial. `biased`: flips are shown to be more frequent than without the edit."""
    sentence: str
    """The verdict in words."""


class PinnedTrialCandidatesItemGatesItem(Answer):
    """PinnedTrialCandidatesItemGatesItem."""

    baseline_run_id: str
    """Baseline run."""
    run_id: str
    """Run that is compared with the baseline."""
    judge: PinnedTrialCandidatesItemGatesItemJudge
    """Verdict by the judge in use, on the records of the trial."""
    candidate: PinnedTrialCandidatesItemGatesItemCandidate
    """Verdict by the candidate, on the same records."""
    changes: bool
    """Whether the verdicts differ."""


class PinnedTrialCandidatesItemGatesItemJudge(Answer):
    """Verdict by the judge in use, on the records of the trial."""

    verdict: str
    """better, worse or cannot tell."""
    sentence: str
    """The verdict in words."""


class PinnedTrialCandidatesItemGatesItemCandidate(Answer):
    """Verdict by the candidate, on the same records."""

    verdict: str
    """better, worse or cannot tell."""
    sentence: str
    """The verdict in words."""


class PinnedTrialAdopted(Answer):
    """PinnedTrialAdopted."""

    metric_config_id: str
    """Configuration that was adopted."""
    equivalence: PinnedTrialCandidatesItemEquivalence
    """Whether a candidate decides as the judge in use does."""


class Rescoring(Answer):
    """New scores of a run by one metric, as proposals until they are adopted."""

    number: int
    """Number of the trial, within its metric."""
    metric_id: str
    """Id of the metric."""
    kind: Literal["rescoring"]
    """rescoring: scores the records of a run by a configuration."""
    run_id: str
    """Run whose records are re-scored."""
    metric_config_id: str
    """Configuration by which the run was scored when the rescoring began."""
    proposed_config_id: str
    """Configuration that proposes."""
    whole_run: bool
    """Whether it covers every record of the run; if not, it covers chosen records."""
    sample: RescoringSample | None
    """Sample that is re-scored first; null without one."""
    state: Literal["running", "sampled", "ready", "adopted", "discarded"]
    """running: proposals are being made. sampled: the sample is done, the other records wait for extend. ready: review, then adopt or discard. adopted: the proposals replaced the scores. discarded: no score has changed."""
    stopped_by: Literal["judgeBudget", None]
    """Why pending proposals are not made: the judge budget of the run is used up. Raise it to continue."""
    num_records: int
    """Number of records with a proposal, and of those that extend would add."""
    num_given: int
    """Number of records left out because a person or a client gave their score, or people are asked for it."""
    num_proposals: int
    """Number of records with a proposal, finished or pending."""
    changes: RescoringChanges
    """How many records the proposals change in each way. The sum is numProposals."""
    spent: RescoringSpent
    """Cost of the proposals so far. Proposals do not reuse earlier verdicts."""
    estimate: RescoringEstimate | None
    """Estimate for the remaining records, measured on the finished proposals; null when no record remains."""
    created_by_user_id: str
    """User who started it."""
    created_at: str
    """When it was started."""
    ended_by_user_id: str | None
    """User who adopted or discarded it."""
    ended_at: str | None
    """When it was adopted or discarded."""


class RescoringSample(Answer):
    """RescoringSample."""

    size: int
    """Number of records in the sample."""
    seed: int
    """Seed of the sample. Records are drawn in the order of the SHA-256 of "<seed> <record id>", so the same seed gives the same sample."""


class RescoringChanges(Answer):
    """How many records the proposals change in each way. The sum is numProposals."""

    pass_to_fail: int
    """The score passes now; the proposed one fails."""
    fail_to_pass: int
    """The score fails now; the proposed one passes."""
    value_only: int
    """The value differs; it passes or fails as before."""
    same: int
    """The value is the same."""
    newly_scored: int
    """There is no valid score now; the proposal has one."""
    unscored: int
    """The proposal could not be scored. The current score stays."""
    failed: int
    """The proposal failed. The current score stays."""
    given_since: int
    """A person or a client has given a score since. It stays."""
    pending: int
    """The proposal is not made yet."""


class RescoringSpent(Answer):
    """Cost of the proposals so far. Proposals do not reuse earlier verdicts."""

    cost_usd: float | None
    """Cost in US dollars; null if that of one proposal is unknown. Code costs 0."""
    input_tokens: int
    """Tokens that the judge read, as far as it reports them."""
    output_tokens: int
    """Tokens that the judge wrote, as far as it reports them."""


class RescoringEstimate(Answer):
    """RescoringEstimate."""

    num_records: int
    """Records without a proposal, which extend would add."""
    num_measured: int
    """Proposals that the estimate is measured on."""
    cost_usd: RescoringEstimateCostUsd | None
    """Cost in US dollars; null if that of one measured proposal is unknown. Code costs 0."""
    input_tokens: RescoringEstimateCostUsd | None
    """Tokens that the judge will read; null until something is measured."""
    output_tokens: RescoringEstimateCostUsd | None
    """Tokens that the judge will write; null until something is measured."""
    seconds: float | None
    """Estimated duration in seconds: of a judge within the limits of its provider, of code in the sandbox of one process. Null until something is measured."""


class RescoringEstimateCostUsd(Answer):
    """RescoringEstimateCostUsd."""

    estimate: float
    """The value if the remaining records are like those that were measured."""
    low: float | None
    """Lower end of the 95 % prediction interval; null with fewer than two measured proposals."""
    high: float | None
    """Upper end of the 95 % prediction interval."""


class TrialEstimate(Answer):
    """What a battery or an alignment of written prompts would ask for and cost. Nothing is started."""

    num_records: int
    """Number of pinned records; 0 if none is pinned."""
    num_verdicts: int
    """Number of verdicts that the trial would ask for."""
    cost_usd: float | None
    """Their cost in US dollars; null if it cannot be estimated."""
    basis: Literal["earlierScores", "template", "unknown"]
    """earlierScores: measured on the newest verdicts of this configuration. template: from the length of the prompt and of the records. unknown: the price of the model is not known."""
    num_to_clear: int | None
    """Number of pinned records with which an edit that changes no verdict is shown to be clear; null for an alignment."""
    biases: list[TrialEstimateBiasesItem]
    """The biases that were asked for; none for an alignment."""
    saved: TrialEstimateSaved | None
    """Share of pinned labels on which people agree with the prompt as it is saved; null for a battery."""
    num_checks: int | None
    """Number of alignments that were tested on the labels for the check so far: the more there are, the less a further one proves. Null for a battery."""
    sentence: str
    """The estimate in words, with the next step if it cannot start."""


class TrialEstimateBiasesItem(Answer):
    """TrialEstimateBiasesItem."""

    bias: Literal["padding", "order", "author", "authority", "format", "language", "selfPreference"]
    """The bias."""
    num_records: int
    """Number of pinned records that can show it."""
    reason: str | None
    """Why it is not applicable; null if it is."""


class TrialEstimateSaved(Answer):
    """TrialEstimateSaved."""

    dev: Estimate
    test: Estimate


class TrialChange(Answer):
    """One record of a trial: its score and the proposed one, or the verdicts of the saved and of the edited prompt."""

    record_id: str
    """Id of the record."""
    change: Literal["passToFail", "failToPass", "valueOnly", "same", "newlyScored", "unscored", "failed", "givenSince", "pending"]
    """Effect of the proposal on the score."""
    applied: bool | None
    """Whether the proposal became the score; null until the rescoring is adopted."""
    people: bool | None
    """Whether people pass it; null in a rescoring."""
    judged_record_id: str | None
    """Copy of the record that the candidate judged; null in a rescoring."""
    before: TrialChangeBefore | None
    """Current score; after adopt, the score that was replaced. In an alignment, the verdict of the saved prompt. Null without one."""
    after: TrialChangeAfter
    """The proposal."""


class TrialChangeBefore(Answer):
    """The score."""

    metric_config_id: str
    """Configuration that scored."""
    state: str
    """pending, scored, unscored or failed."""
    passed: bool | None
    """Whether it passes; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why the score has no value."""


class TrialChangeAfter(Answer):
    """The proposal."""

    metric_config_id: str
    """Configuration that scored."""
    state: str
    """pending, scored, unscored or failed."""
    passed: bool | None
    """Whether it passes; null without a valid value."""
    score: dict[str, Any] | None
    """The score; null without one."""
    reason: str | None
    """Why the proposal has no value."""


class ListViewsAnswer(Answer):
    """ListViewsAnswer."""

    data: list[SavedView]
    """Views, by name."""


class SavedView(Answer):
    """A saved search of a project's records."""

    id: str
    """Id of the view."""
    name: str
    """Name of the view."""
    shared: bool
    """Whether all members see it, or only its author."""
    search: str
    """The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records."""
    display: dict[str, Any]
    """Display settings: columns, their order and width, row height."""
    user_id: str
    """Author of the view."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ListKeysQuery(TypedDict):
    """Arguments of `list_keys`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateKeyBody(TypedDict):
    """Arguments of `create_key`: its body."""

    name: str
    """Purpose of the key."""
    access: NotRequired[Literal["full", "read"]]
    """full: the key may do what its member may do. read: the key may only read."""
    default_project_id: NotRequired[str]
    """Project for traces that are sent with this key and name no project."""
    expires_at: NotRequired[str]
    """When the key expires. Default: never, or together with the key of this request; a key cannot create one that outlives it."""


class UpdateAlertBody(TypedDict):
    """Arguments of `update_alert`: its body."""

    name: NotRequired[str]
    """Name of the alert."""
    url: NotRequired[str]
    """webhook: where events are posted. slack: an incoming webhook of Slack, or of a chat that takes the same messages. otlp: the path of an OpenTelemetry collector that takes logs, such as https://otel.example.com/v1/logs. Never shown again."""
    headers: NotRequired[dict[str, str]]
    """otlp: headers of each request, such as a key. Never shown again."""
    recipients: NotRequired[list[str]]
    """email: who receives the mail. An address that belongs to no member gets nothing until its owner has confirmed it."""
    events: NotRequired[list[Literal["run.completed", "gate.failed", "budget.reached", "drift.found", "monitor.worse", "traffic.worse", "record.scored"]]]
    """Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else."""
    min_pass_rate: NotRequired[float | None]
    """monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project."""
    label_metric_id: NotRequired[str | None]
    """monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare."""
    label: NotRequired[str | None]
    """monitor.worse: the label. A configuration without it is not watched."""
    max_label_share: NotRequired[float | None]
    """monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1."""
    false_alarms_per_year: NotRequired[float]
    """monitor.worse and traffic.worse: highest average number of false alarms a year, of each."""
    traffic_window: NotRequired[Literal["hour", "day"]]
    """traffic.worse: length of the windows of UTC that are looked at."""
    max_error_rate: NotRequired[float | None]
    """traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any."""
    max_latency_ms: NotRequired[float | None]
    """traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any."""
    max_cost_usd: NotRequired[float | None]
    """traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any."""
    paused: NotRequired[bool]
    """true: nothing is sent. Events that happen while it is paused are not sent later."""


class AskAddressOwnerBody(TypedDict):
    """Arguments of `ask_address_owner`: its body."""

    address: str
    """One of the addresses of the alert."""


class ListAlertDeliveriesQuery(TypedDict):
    """Arguments of `list_alert_deliveries`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class GetAddressQuestionBody(TypedDict):
    """Arguments of `get_address_question`: its body."""

    token: str
    """The part of the link behind the #."""


class RedeemAddressLinkBody(TypedDict):
    """Arguments of `redeem_address_link`: its body."""

    token: str
    """The part of the link behind the #."""


class ListAlarmsQuery(TypedDict):
    """Arguments of `list_alarms`: its query."""

    min_pass_rate: NotRequired[float]
    """As in an alert."""
    label_metric_id: NotRequired[str]
    """As in an alert."""
    label: NotRequired[str]
    """As in an alert."""
    max_label_share: NotRequired[float]
    """As in an alert."""
    false_alarms_per_year: NotRequired[float]
    """monitor.worse and traffic.worse: highest average number of false alarms a year, of each."""
    traffic_window: NotRequired[Literal["hour", "day"]]
    """traffic.worse: length of the windows of UTC that are looked at."""
    max_error_rate: NotRequired[float]
    """As in an alert."""
    max_latency_ms: NotRequired[float]
    """As in an alert."""
    max_cost_usd: NotRequired[float]
    """As in an alert."""


class CreateAlertBody(TypedDict):
    """Arguments of `create_alert`: its body."""

    name: str
    """Name of the alert."""
    kind: Literal["webhook", "slack", "email", "otlp"]
    """How events are sent. It cannot be changed."""
    url: NotRequired[str]
    """webhook: where events are posted. slack: an incoming webhook of Slack, or of a chat that takes the same messages. otlp: the path of an OpenTelemetry collector that takes logs, such as https://otel.example.com/v1/logs. Never shown again."""
    headers: NotRequired[dict[str, str]]
    """otlp: headers of each request, such as a key. Never shown again."""
    recipients: NotRequired[list[str]]
    """email: who receives the mail. An address that belongs to no member gets nothing until its owner has confirmed it."""
    events: list[Literal["run.completed", "gate.failed", "budget.reached", "drift.found", "monitor.worse", "traffic.worse", "record.scored"]]
    """Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else."""
    min_pass_rate: NotRequired[float | None]
    """monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project."""
    label_metric_id: NotRequired[str | None]
    """monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare."""
    label: NotRequired[str | None]
    """monitor.worse: the label. A configuration without it is not watched."""
    max_label_share: NotRequired[float | None]
    """monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1."""
    false_alarms_per_year: NotRequired[float]
    """monitor.worse and traffic.worse: highest average number of false alarms a year, of each."""
    traffic_window: NotRequired[Literal["hour", "day"]]
    """traffic.worse: length of the windows of UTC that are looked at."""
    max_error_rate: NotRequired[float | None]
    """traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any."""
    max_latency_ms: NotRequired[float | None]
    """traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any."""
    max_cost_usd: NotRequired[float | None]
    """traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any."""
    paused: NotRequired[bool]
    """Whether nothing is sent. Events that happen while it is paused are not sent later."""


class MeasureAgreementQuery(TypedDict):
    """Arguments of `measure_agreement`: its query."""

    level: NotRequired[float]
    """Confidence level of every interval."""
    metric_config_id: NotRequired[str]
    """Configuration that people scored; default that of the run, else the current one."""
    run_id: NotRequired[str]
    """Run whose reviews count; default all runs."""
    measure: NotRequired[Literal["score", "pass"]]
    """What is compared for int and float metrics: `score`, or `pass` (whether the score passes)."""
    criteria: NotRequired[bool]
    """Whether the agreement on each criterion comes with the answer, for a metric with criteria."""
    sighted: NotRequired[bool]
    """Whether to count reviews whose author could have seen the reviews of others. Such reviews agree more than independent ones. Those of spans always count, with the caveat `reviewsSeen`."""


class CalibrateMetricQuery(TypedDict):
    """Arguments of `calibrate_metric`: its query."""

    labels: NotRequired[Literal["metric", "overrides", "thumbs"]]
    """Source of people's labels. `metric`: scores of the metric `against`, else of the human metric of the judge (`peopleMetricId` of its settings). `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. Default `metric`."""
    against: NotRequired[str]
    """Metric by which people scored the same records. Default the human metric of the judge."""
    metric_config_id: NotRequired[str]
    """Configuration of the judge; default that of the run, else the current one. Each configuration is a separate judge."""
    split: NotRequired[Literal["all", "dev", "test"]]
    """Which labels count. A hash of its testcase assigns each label to `dev` or `test` permanently."""
    level: NotRequired[float]
    """Confidence level of every interval."""
    run_id: NotRequired[str]
    """Run whose pass rate is corrected for the errors of the judge."""
    num_passes: NotRequired[int]
    """Number of records, from any set, that the judge passed. Requires `numJudged`."""
    num_judged: NotRequired[int]
    """Number of records in that set that the judge decided; `correctedRate` is their corrected pass rate."""
    configurations: NotRequired[bool]
    """Whether the newest 10 configurations of the metric are compared with people too."""
    pinned_set: NotRequired[bool]
    """Whether the pinned set of the metric comes with the answer."""
    criteria: NotRequired[bool]
    """Whether a metric with criteria is compared with people criterion by criterion, on the records on which both gave verdicts on it. The metric of people needs criteria with the same ids."""
    jury: NotRequired[bool]
    """Whether each model of the judge's jury is compared with the jury and with people."""
    rates: NotRequired[str]
    """Pass rates to correct, such as the points of a chart, each as passes, a slash and judged. `correctedRates` has the corrected ones."""


class ListJudgeDisagreementsQuery(TypedDict):
    """Arguments of `list_judge_disagreements`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    labels: NotRequired[Literal["metric", "overrides", "thumbs"]]
    """Source of people's labels. `metric`: scores of the metric `against`, else of the human metric of the judge (`peopleMetricId` of its settings). `overrides`: scores that people gave in place of the judge. `thumbs`: the majority of the record's annotations. Default `metric`."""
    against: NotRequired[str]
    """Metric by which people scored the same records. Default the human metric of the judge."""
    metric_config_id: NotRequired[str]
    """Configuration of the judge; default that of the run, else the current one. Each configuration is a separate judge."""
    split: NotRequired[Literal["all", "dev", "test"]]
    """Which labels count. A hash of its testcase assigns each label to `dev` or `test` permanently."""
    records: NotRequired[bool]
    """Whether each disagreement comes with its record."""


class GetJudgePassportQuery(TypedDict):
    """Arguments of `get_judge_passport`: its query."""

    metric_config_id: NotRequired[str]
    """Configuration of the judge; default the current one."""
    days: NotRequired[int]
    """Days until it expires, at most."""


class GetProjectNewsQuery(TypedDict):
    """Arguments of `get_project_news`: its query."""

    hours: NotRequired[int]
    """Length of the time that the news are about, in hours before now."""


class PlanRunQuery(TypedDict):
    """Arguments of `plan_run`: its query."""

    metric_id: str
    """Metric that compares the systems."""
    difference: NotRequired[float]
    """Difference to detect, in the unit of the score; 0.03 for 3 percentage points."""
    n: NotRequired[int]
    """Testcases of the coming run; default those of the testset, else as many as the earlier run had."""
    testset_id: NotRequired[str]
    """Testset of the coming run."""
    split: NotRequired[str]
    """Split of the testset that the coming run is about; default all testcases."""
    trials: NotRequired[int]
    """Trials of each testcase."""
    tests: NotRequired[int]
    """Number of tests of a pair that are read together: its metrics. With `candidates`, Holm covers tests × candidates; each then needs the level 1 − (1 − level)/(tests × candidates)."""
    candidates: NotRequired[int]
    """Runs that are compared with the baseline, not with each other (`pairs=first`)."""
    baseline_runs: NotRequired[int]
    """Runs of the baseline, the others as `pooled`. They lower its noise if an earlier run has trials, or if two earlier runs are of the same version."""
    looks: NotRequired[int]
    """Planned looks at the growing run, at equal shares of its testcases (`test=planned`)."""
    measure: NotRequired[Literal["score", "pass"]]
    """What is compared for int and float metrics: `score`, or `pass` (whether the score passes)."""
    level: NotRequired[float]
    """Confidence level of every interval."""
    power: NotRequired[float]
    """Power of the minimum detectable difference."""


class CreateReportLinkBody(TypedDict):
    """Arguments of `create_report_link`: its body."""

    name: str
    """For whom or for what the link is."""
    days: NotRequired[int]
    """Days until the link ends, 1 to 90."""
    runs: list[str]
    """The compared runs of the project, 2 to 8 ids, the baseline first."""
    measure: Literal["pass", "score"]
    """What is compared: pass rates or mean scores."""
    looks: NotRequired[list[int]]
    """Planned looks, as in the comparison of runs."""
    weight_by: NotRequired[str]
    """Weights of testcases, as in the comparison."""
    shares: NotRequired[str]
    """Shares of strata, as in the comparison."""
    pooled: NotRequired[list[str]]
    """More runs of the baseline by id, as in the comparison."""


class GetSeriesQuery(TypedDict):
    """Arguments of `get_series`: its query."""

    created_after: NotRequired[str]
    """Start, rounded down to a whole bucket; default a week before the end."""
    created_before: NotRequired[str]
    """End; default now."""
    bucket: NotRequired[Literal["hour", "day", "week"]]
    """Length of a bucket in UTC; weeks begin on Monday. Default hours up to 3 days, days up to 120, else weeks."""
    by: NotRequired[Literal["model", "version", "tag"]]
    """Split by model, system version or tag."""
    source: NotRequired[Literal["traces", "runs"]]
    """traces: only records that were made from traces. runs: only the others."""
    monitor_id: NotRequired[str]
    """Only records that this monitor drew. Not together with `by`."""
    compare: NotRequired[Literal["buckets", "groups"]]
    """Also test pass rates, with users as units. buckets: each bucket against the one before it, in each group; two weeks make one test. groups: each group of `by` against the first one, over the whole range."""
    level: NotRequired[float]
    """Confidence level of every interval."""


class ListTrendsQuery(TypedDict):
    """Arguments of `list_trends`: its query."""

    limit: NotRequired[int]
    """Maximum number of runs, newest first."""
    metric_id: NotRequired[str]
    """Only this metric and the runs that were started with it, or scored by it."""
    kind: NotRequired[Literal["evaluation", "traces"]]
    """Only runs of this kind."""
    scored: NotRequired[bool]
    """true: only runs that have scores."""
    judges: NotRequired[bool]
    """Whether each point comes with its judge, and `runs` with what people were asked."""
    weight_by: NotRequired[str]
    """Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`."""
    shares: NotRequired[str]
    """Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`."""
    level: NotRequired[float]
    """Confidence level of every interval."""


class GetSharedReportBody(TypedDict):
    """Arguments of `get_shared_report`: its body."""

    token: str
    """What follows the # of the link."""


class CompareRunsQuery(TypedDict):
    """Arguments of `compare_runs`: its query."""

    runs: list[str]
    """Ids of 2 to 8 runs, the baseline first. Repeat the parameter or separate ids with commas."""
    level: NotRequired[float]
    """Confidence level of every interval."""
    criteria_of: NotRequired[str]
    """Id of a metric with criteria. `metrics` then has its criteria, each as a boolean metric of its own: its metricId is `<metric>/<criterion>`, and its name `<metric> › <criterion>`."""
    power: NotRequired[float]
    """Power of the minimum detectable difference."""
    seed: NotRequired[int]
    """Seed of random draws."""
    measure: NotRequired[Literal["score", "pass"]]
    """What is compared for int and float metrics: `score`, or `pass` (whether the score passes)."""
    test: NotRequired[Literal["fixed", "sequential", "planned"]]
    """Test of paired runs. `fixed` holds for one look at finished runs. `sequential` may be looked at again and again while runs grow, and needs more testcases. `planned` decides only at the `looks` that you planned, and needs hardly more than `fixed`. With `sequential`, groups, and runs without common testcases, are compared by `fixed`; then `watched` is null and a caveat (`notSequential`) says so."""
    looks: NotRequired[list[int]]
    """Only with `test=planned`, which needs it. Numbers of testcases at which you look at the growing run, ascending, such as 125,250,375,500; chosen before the first look. A run that has all its records and scores takes the last look, also with fewer testcases. The end of a cancelled run is no look. Repeat the parameter or separate numbers with commas."""
    by: NotRequired[str]
    """With `value`, compares one slice: the records with this tag (`tag`), or with this value of `metadata.<field>` (a field of the testcase) or `inputs.<field>`."""
    value: NotRequired[str]
    """Tag, or value of the field, of the slice."""
    pairs: NotRequired[Literal["all", "first"]]
    """all: each run with each later one. first: the first run with each other. Holm covers the pairs of the answer, so with eight runs `first` pays for 7 pairs and not for 28."""
    pooled: NotRequired[list[str]]
    """Ids of more runs of the baseline, such as earlier runs of main. Their scores count as further trials of the first run, testcase by testcase, so the baseline has less noise. Repeat the parameter or separate ids with commas."""
    usage: NotRequired[bool]
    """Whether each pair says how latency, tokens and cost changed. Not with `by`."""
    slices: NotRequired[bool]
    """Whether each metric says which slices lost more than the rest, in the pairs of the first run. Looks at every field of inputs and metadata with 2 to 50 values; one test covers all of them. Not with `by`."""
    weight_by: NotRequired[str]
    """Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`."""
    shares: NotRequired[str]
    """Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`."""
    worst: NotRequired[int]
    """Number of testcases that each metric lists of those that lost most, in the pairs of the first run. Not with `by`."""


class ListChangedTestcasesQuery(TypedDict):
    """Arguments of `list_changed_testcases`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    runs: list[str]
    """Ids of two runs, the baseline first. Repeat the parameter or separate ids with commas."""
    metric_id: str
    """Metric whose scores are compared."""
    measure: NotRequired[Literal["score", "pass"]]
    """What is compared for int and float metrics: `score`, or `pass` (whether the score passes)."""
    change: NotRequired[list[Literal["better", "worse", "same", "onlyBefore", "onlyAfter", "revised", "unscored"]]]
    """Changes to list; default those that are better or worse. Repeat the parameter or separate values with commas."""
    order: NotRequired[Literal["testcase", "worst", "best"]]
    """testcase: by id. worst: the largest losses first. best: the largest gains first. Testcases without a difference come last."""
    label_before: NotRequired[str]
    """Only testcases with this label of a category in a trial of the first run. Lists better, worse and same by default."""
    label_after: NotRequired[str]
    """The same for the second run."""
    records: NotRequired[bool]
    """Whether each testcase comes with its records."""


class GroupFailuresBody(TypedDict):
    """Arguments of `group_failures`: its body."""

    metric_id: NotRequired[str]
    """Metric whose failures are grouped; default those of any metric."""
    model_name: NotRequired[str]
    """Model that names the clusters; default the model of judges."""
    embedding_model_name: NotRequired[str]
    """Model of embeddings by which failures are grouped; default by their words."""


class CreateLookBody(TypedDict):
    """Arguments of `create_look`: its body."""

    baseline_run_ids: list[str]
    """Runs that the run is compared with."""
    alpha: float
    """Chance that any look of a period errs, at most."""
    per: Literal["month", "quarter", "year"]
    """The period whose looks share it: a month, a quarter or a year of the calendar, in UTC."""
    outcome: NotRequired[Literal["pass", "worse", "inconclusive", "incomplete"]]
    """pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing)."""


class SummarizeRunQuery(TypedDict):
    """Arguments of `summarize_run`: its query."""

    level: NotRequired[float]
    """Confidence level of every interval."""
    criteria_of: NotRequired[str]
    """Id of a metric with criteria. `metrics` then has its criteria, each as a boolean metric of its own: its metricId is `<metric>/<criterion>`, and its name `<metric> › <criterion>`."""
    by: NotRequired[str]
    """Breaks the summary down by `tag`, `metadata.<field>` (a field of the testcase) or `inputs.<field>`."""
    across: NotRequired[str]
    """With `by`, a second criterion: both make a table, such as persona by scenario. Not with `weightBy` or `shares`."""
    weight_by: NotRequired[str]
    """Numeric field of the testcase by which each testcase counts, such as `metadata.visits`. Testcases without a number above 0 are left out and counted. Not with `shares`."""
    shares: NotRequired[str]
    """Field of the testcase, and the share of each of its values in the traffic, such as `metadata.intent:refund=0.7,order=0.2,other=0.1`. The shares add up to 1. Testcases of other values are left out and counted. Not with `weightBy`."""


class ExamineTestsetQuery(TypedDict):
    """Arguments of `examine_testset`: its query."""

    metric_id: NotRequired[str]
    """Metric by which testcases pass; default the one with the most scores in the newest run."""
    against: NotRequired[str]
    """Human metric whose scores are compared with the metric; default the one of its settings."""
    max_runs: NotRequired[int]
    """Newest runs that are read, at most."""
    before: NotRequired[str]
    """Earlier run of the comparison that is repeated; needs `after`."""
    after: NotRequired[str]
    """Later run of that comparison; needs `before`. Default: the newest two of different versions."""
    limit: NotRequired[int]
    """Findings of each kind that are listed, at most."""
    level: NotRequired[float]
    """Confidence level of every interval."""


class ListLooksQuery(TypedDict):
    """Arguments of `list_looks`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class GetWearQuery(TypedDict):
    """Arguments of `get_wear`: its query."""

    per: NotRequired[Literal["month", "quarter", "year"]]
    """The period whose looks share it: a month, a quarter or a year of the calendar, in UTC."""
    alpha: NotRequired[float]
    """Chance that any look of a period errs, at most."""
    split: NotRequired[str]
    """Only looks at testcases of this split."""
    run_id: NotRequired[str]
    """A run of the testset, whose fresh testcases are counted."""
    level: NotRequired[float]
    """Confidence level of the optimism."""


class CreateAnnotationBody(TypedDict):
    """Arguments of `create_annotation`: its body."""

    rating: bool
    """true is positive, false is negative."""
    comment: NotRequired[str]
    """Free text; empty if none was given."""
    span_id: NotRequired[str | None]
    """Span of this record that the annotation is about."""
    trace_id: NotRequired[str | None]
    """Trace of the span. Needed only if two traces of the record have a span of this id."""
    passage: NotRequired[CreateAnnotationBodyPassage]
    """Part of a text of a record or a span."""
    made_by: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class CreateAnnotationBodyPassage(TypedDict):
    """Part of a text of a record or a span."""

    path: str
    """JSON Pointer to the text in the record as the API returns it (`/outputs/answer`) or, with `spanId`, in the span (`/output/0/content`, `/attributes/prompt`)."""
    start: int
    """Start of the passage in the text, in UTF-16 code units."""
    text: str
    """Text of the passage. It locates the passage if the text around it has changed."""


class UpdateAnnotationBody(TypedDict):
    """Arguments of `update_annotation`: its body."""

    rating: NotRequired[bool]
    """true is positive, false is negative."""
    comment: NotRequired[str]
    """Free text; empty if none was given."""


class CreateReplyBody(TypedDict):
    """Arguments of `create_reply`: its body."""

    comment: str
    """Text of the reply."""


class UpdateReplyBody(TypedDict):
    """Arguments of `update_reply`: its body."""

    comment: str
    """Text of the reply."""


class ResolveAnnotationBody(TypedDict):
    """Arguments of `resolve_annotation`: its body."""

    resolved: bool
    """true resolves the thread, false opens it again."""


class ListThreadsQuery(TypedDict):
    """Arguments of `list_threads`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class AssignRecordUserBody(TypedDict):
    """Arguments of `assign_record_user`: its body."""

    assignee_user_id: str
    """Id of the user who should look at the record."""


class InitiateAttachmentBody(TypedDict):
    """Arguments of `initiate_attachment`: its body."""

    project_id: NotRequired[str]
    """Project that the file belongs to. Default: the project of the session."""
    session_id: str
    """Session that the file belongs to."""
    file_path: str
    """Path of the file in the session."""
    sha256: str
    """SHA-256 of the bytes. The upload must match it."""
    size_bytes: int
    """Size in bytes. The upload must match it."""
    content_type: str
    """Media type of the bytes."""
    filename: NotRequired[str]
    """File name for people."""
    metadata: NotRequired[dict[str, Any]]
    """Any JSON object."""


class ListOrphanAttachmentsQuery(TypedDict):
    """Arguments of `list_orphan_attachments`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class ListSessionAttachmentsQuery(TypedDict):
    """Arguments of `list_session_attachments`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    project_id: NotRequired[str]
    """Lists the files of this project. Default: of all projects that you see."""


class ListAuditEventsQuery(TypedDict):
    """Arguments of `list_audit_events`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    created_after: NotRequired[str]
    """Only entries at or after this time."""
    created_before: NotRequired[str]
    """Only entries before this time."""
    user_id: NotRequired[str]
    """Only what this member did."""
    operation: NotRequired[str]
    """Only this operation, such as updateMetric."""
    resource: NotRequired[str]
    """Only this group of operations, such as Metrics."""
    resource_id: NotRequired[str]
    """Only writes of the resource with this id."""
    project_id: NotRequired[str]
    """Only writes in this project."""
    failed: NotRequired[bool]
    """true: only refused requests and sign-ins. false: only the others."""


class VerifyAuditEventsQuery(TypedDict):
    """Arguments of `verify_audit_events`: its query."""

    place: NotRequired[int]
    """Place of an entry that you have noted. Requires hash."""
    hash: NotRequired[str]
    """Hash that the entry at this place had."""


class ListDecisionsQuery(TypedDict):
    """Arguments of `list_decisions`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateDecisionBody(TypedDict):
    """Arguments of `create_decision`: its body."""

    question: str
    """The question that is decided."""
    owner: str
    """Who answers for the decision."""
    testset_id: str
    """Testset on which it is decided."""
    baseline_run_id: NotRequired[str]
    """Run that later runs are compared with."""
    metric_ids: list[str]
    """Metrics that decide, with their current configurations."""
    rules: dict[str, Any]
    """The rules, as in dokima.yaml."""
    min_testcases: int
    """Testcases on which it is decided, as planned."""
    power: NotRequired[float]
    """Chance to see the planned difference."""
    level: NotRequired[float]
    """Confidence level of the gate."""


class ExportDecisionBody(TypedDict):
    """Arguments of `export_decision`: its body."""

    run_id: str
    """Run that is decided about."""
    rules: NotRequired[dict[str, Any]]
    """The rules of the gate; default the registered ones."""
    baseline_run_id: NotRequired[str]
    """Run to compare with; default that of the rules, else the registered one."""
    level: NotRequired[float]
    """Confidence level of the gate; default the registered one."""
    commit: NotRequired[str]
    """Commit that is decided about, which becomes a subject of the statement."""
    texts: NotRequired[bool]
    """Whether the inputs, expected outputs and outputs are in the file, and not only their hashes."""


class ReadDecisionQuery(TypedDict):
    """Arguments of `read_decision`: its query."""

    run_id: str
    """Run that is held against it."""


class WaiveDecisionBody(TypedDict):
    """Arguments of `waive_decision`: its body."""

    run_id: str
    """Run that is shipped."""
    reason: str
    """Why, in spite of the verdict."""


class ListExecutionsQuery(TypedDict):
    """Arguments of `list_executions`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    state: NotRequired[Literal["pending", "done", "failed", "cancelled"]]
    """Only executions in this state."""


class ListMembersQuery(TypedDict):
    """Arguments of `list_members`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateMemberBody(TypedDict):
    """Arguments of `create_member`: its body."""

    name: str
    """Name of the person."""
    email: str
    """E-mail address, unique in the organization."""
    role: Literal["admin", "member", "annotator", "viewer"]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""


class UpdateMemberBody(TypedDict):
    """Arguments of `update_member`: its body."""

    name: NotRequired[str]
    """Name of the person."""
    role: NotRequired[Literal["admin", "member", "annotator", "viewer"]]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""


class UpdateMyOrganizationBody(TypedDict):
    """Arguments of `update_my_organization`: its body."""

    name: NotRequired[str]
    """Name of the organization."""
    judge_model_name: NotRequired[str | None]
    """Model of AI metrics that name none, such as openai/<model>; null for DOKIMA_JUDGE_MODEL."""
    report_links: NotRequired[bool]
    """Whether members may make links that show a report without an account. If not, existing links show nothing."""


class ListScimTokensQuery(TypedDict):
    """Arguments of `list_scim_tokens`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateScimTokenBody(TypedDict):
    """Arguments of `create_scim_token`: its body."""

    name: str
    """Purpose of the token."""


class UpdateMetricGroupBody(TypedDict):
    """Arguments of `update_metric_group`: its body."""

    name: NotRequired[str]
    """Name of the group."""
    description: NotRequired[str]
    """Purpose of the group."""
    metric_ids: NotRequired[list[str]]
    """Metrics of the group in their order, each once."""


class ListMetricGroupsQuery(TypedDict):
    """Arguments of `list_metric_groups`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateMetricGroupBody(TypedDict):
    """Arguments of `create_metric_group`: its body."""

    name: str
    """Name of the group."""
    description: NotRequired[str]
    """Purpose of the group."""
    metric_ids: list[str]
    """Metrics of the group in their order, each once."""


class UpdateMetricFields1(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    prompt_template: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields2(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    prompt_template: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class UpdateMetricFields2Criteria(TypedDict):
    """UpdateMetricFields2Criteria."""

    items: NotRequired[list[str | UpdateMetricFields2CriteriaItemsItem]]
    """Criteria of each record: texts, or objects. Default: none."""
    fromExpected: NotRequired[bool]
    """Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion."""
    isolate: NotRequired[bool]
    """Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another."""


class UpdateMetricFields2CriteriaItemsItem(TypedDict):
    """UpdateMetricFields2CriteriaItemsItem."""

    id: NotRequired[str]
    """Default: made of the text."""
    text: str
    """What the record must do, as one question with a yes or a no."""
    weight: NotRequired[float]
    """Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight."""
    mustPass: NotRequired[bool]
    """Whether the score is 0 when it is not met."""


class UpdateMetricFields3(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    prompt_template: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields4(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    prompt_template: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricFields4Labels(TypedDict):
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""

    items: list[str]
    """The labels, 2 to 100. With an order, from worst to best. They differ in more than their case."""
    passing: list[str]
    """The labels that pass: at least one, and not all."""
    ordered: NotRequired[bool]
    """Whether the labels go from worst to best. Default: false."""


class UpdateMetricFields5(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields6(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class UpdateMetricFields7(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields8(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricFields9(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields10(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields11(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricFields12(TypedDict):
    """Arguments of `update_metric`: its body."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricBody1(TypedDict):
    """UpdateMetricBody1."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    promptTemplate: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody2(TypedDict):
    """UpdateMetricBody2."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    promptTemplate: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class UpdateMetricBody3(TypedDict):
    """UpdateMetricBody3."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    promptTemplate: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody4(TypedDict):
    """UpdateMetricBody4."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    promptTemplate: NotRequired[str]
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricBody5(TypedDict):
    """UpdateMetricBody5."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody6(TypedDict):
    """UpdateMetricBody6."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class UpdateMetricBody7(TypedDict):
    """UpdateMetricBody7."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody8(TypedDict):
    """UpdateMetricBody8."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricBody9(TypedDict):
    """UpdateMetricBody9."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody10(TypedDict):
    """UpdateMetricBody10."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody11(TypedDict):
    """UpdateMetricBody11."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class UpdateMetricBody12(TypedDict):
    """UpdateMetricBody12."""

    name: NotRequired[str]
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: NotRequired[UpdateMetricFields4Labels]
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMetricSettingsBody(TypedDict):
    """Arguments of `update_metric_settings`: its body."""

    judge_repeats: NotRequired[int]
    """How often the judge is asked about each record. The score is the majority or the median; every vote is kept."""
    jury_model_names: NotRequired[list[str]]
    """Models that judge in addition to evalModelName, each judgeRepeats times. The score is the majority or the median of all verdicts; each verdict is kept."""
    people_metric_id: NotRequired[str | None]
    """Human metric whose scores are the truth about a judge: the one that was set, else the only one of the project with the same guidelines and kind of score. Null if it is not known; then no rate is corrected. Set null to remove the setting."""
    num_reviewers: NotRequired[int]
    """Number of people who score each record, without seeing each other's scores. The score is pending until all have submitted theirs."""
    review_rule: NotRequired[Literal["latest", "majority"]]
    """How the current score follows from theirs: the latest, or the majority (for integers and floats the median; with an even number, the lower of the two in the middle; for labels without an order the one of more than half). A metric with criteria has a majority on each criterion."""


class ListMetricVersionsQuery(TypedDict):
    """Arguments of `list_metric_versions`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class DraftCriteriaBody(TypedDict):
    """Arguments of `draft_criteria`: its body."""

    guidelines: NotRequired[str]
    """What a good answer is, such as the guidelines of the metric."""
    run_id: NotRequired[str]
    """Run whose failures show what goes wrong: 20 of them, spread over the newest 500."""
    metric_id: NotRequired[str]
    """Metric whose failures count; default those of any metric of the run."""
    criteria: NotRequired[list[str]]
    """Texts of criteria that there are: the model writes others, and repetitions are marked."""
    num_criteria: NotRequired[int]
    """Most criteria to write."""
    model_name: NotRequired[str]
    """Model that writes them; default the model of judges."""
    dry_run: NotRequired[bool]
    """Whether only the cost is estimated, and no model is asked."""


class ListMetricsQuery(TypedDict):
    """Arguments of `list_metrics`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateMetricFields1(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields2(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class CreateMetricFields3(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields4(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class CreateMetricFields5(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields6(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class CreateMetricFields7(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields8(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class CreateMetricFields9(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    passing_threshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields10(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    passing_threshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields11(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricFields12(TypedDict):
    """Arguments of `create_metric`: its body."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class CreateMetricBody1(TypedDict):
    """CreateMetricBody1."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody2(TypedDict):
    """CreateMetricBody2."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class CreateMetricBody3(TypedDict):
    """CreateMetricBody3."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody4(TypedDict):
    """CreateMetricBody4."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class CreateMetricBody5(TypedDict):
    """CreateMetricBody5."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody6(TypedDict):
    """CreateMetricBody6."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""


class CreateMetricBody7(TypedDict):
    """CreateMetricBody7."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody8(TypedDict):
    """CreateMetricBody8."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class CreateMetricBody9(TypedDict):
    """CreateMetricBody9."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    passingThreshold: NotRequired[int]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody10(TypedDict):
    """CreateMetricBody10."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    passingThreshold: NotRequired[float]
    """Lowest score that passes."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody11(TypedDict):
    """CreateMetricBody11."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    spans: NotRequired[str | None]
    """Search of the spans to score, as in the metric. null: the metric scores records."""


class CreateMetricBody12(TypedDict):
    """CreateMetricBody12."""

    name: str
    """Name of the metric, shown beside its scores."""
    description: NotRequired[str | None]
    """Purpose of the metric."""
    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class PreviewMetricFields1(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    metric_id: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    jury_model_names: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricFields1Record(TypedDict):
    """A record to score that is not in the project."""

    inputs: NotRequired[dict[str, Any]]
    """Input of the system."""
    outputs: NotRequired[dict[str, Any]]
    """Output of the system."""
    expected: NotRequired[dict[str, Any]]
    """Expected output."""
    trace: NotRequired[PreviewMetricFields1RecordTrace]
    """The parts of its trace that metrics read."""


class PreviewMetricFields1RecordTrace(TypedDict):
    """The parts of its trace that metrics read."""

    trace: NotRequired[list[Any]]
    """Spans."""
    conversation: NotRequired[list[Any]]
    """Messages."""
    toolCalls: NotRequired[list[Any]]
    """Tool calls."""


class PreviewMetricFields2(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""
    metric_id: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    jury_model_names: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricFields3(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    metric_id: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    jury_model_names: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricFields4(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    prompt_template: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    eval_model_name: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""
    metric_id: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    jury_model_names: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricFields5(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields6(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields7(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields8(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class PreviewMetricFields9(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["int"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields10(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["float"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields11(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["boolean"]
    """Kind of score."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    span_id: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    trace_id: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricFields12(TypedDict):
    """Arguments of `preview_metric`: its body."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    eval_type: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    output_type: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    record_id: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class PreviewMetricBody1(TypedDict):
    """PreviewMetricBody1."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    metricId: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    juryModelNames: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricBody2(TypedDict):
    """PreviewMetricBody2."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    criteria: NotRequired[UpdateMetricFields2Criteria | None]
    """Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none."""
    metricId: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    juryModelNames: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricBody3(TypedDict):
    """PreviewMetricBody3."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""
    metricId: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    juryModelNames: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricBody4(TypedDict):
    """PreviewMetricBody4."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["ai"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    promptTemplate: str
    """Prompt for the judge, with placeholders like {{outputs.answer}}."""
    evalModelName: NotRequired[str]
    """Model that judges."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""
    metricId: NotRequired[str]
    """Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none."""
    juryModelNames: NotRequired[list[str]]
    """Models that judge the record beside evalModelName."""


class PreviewMetricBody5(TypedDict):
    """PreviewMetricBody5."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody6(TypedDict):
    """PreviewMetricBody6."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody7(TypedDict):
    """PreviewMetricBody7."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody8(TypedDict):
    """PreviewMetricBody8."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["human"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class PreviewMetricBody9(TypedDict):
    """PreviewMetricBody9."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["int"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody10(TypedDict):
    """PreviewMetricBody10."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["float"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody11(TypedDict):
    """PreviewMetricBody11."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["boolean"]
    """Kind of score."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    spans: NotRequired[str]
    """Search of spans: one of those of the record that it chooses is scored."""
    spanId: NotRequired[str]
    """The span to score. Default: the first that `spans` chooses."""
    traceId: NotRequired[str]
    """Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses."""


class PreviewMetricBody12(TypedDict):
    """PreviewMetricBody12."""

    guidelines: NotRequired[str]
    """ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text."""
    evalType: Literal["heuristic"]
    """ai: a model scores. human: people score. heuristic: code or a client scores."""
    outputType: Literal["category"]
    """Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants."""
    recordId: NotRequired[str]
    """Record of the project to score. Either this or `record`."""
    record: NotRequired[PreviewMetricFields1Record]
    """A record to score that is not in the project."""
    labels: UpdateMetricFields4Labels
    """The labels that the metric gives. A change makes a new configuration; existing scores keep theirs."""


class UpdateMonitorBody(TypedDict):
    """Arguments of `update_monitor`: its body."""

    name: NotRequired[str]
    """Name of the monitor."""
    metric_ids: NotRequired[list[str]]
    """Metrics that score the drawn records, each with its configuration at that time."""
    sampling_rate: NotRequired[float]
    """Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record."""
    filter: NotRequired[UpdateMonitorBodyFilter]
    """Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records."""
    settle_seconds: NotRequired[int]
    """Seconds without new spans after which the monitor looks at a record."""
    paused: NotRequired[bool]
    """true: the monitor ignores traces that arrive while it is paused. Queued scores are still made."""


class UpdateMonitorBodyFilter(TypedDict):
    """Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records."""

    service: NotRequired[str]
    """Service of the span."""
    name: NotRequired[str]
    """Name of the span."""
    modelName: NotRequired[str]
    """Model of the span."""
    error: NotRequired[bool]
    """true: at least one such span failed. false: none of them failed."""
    minDurationMs: NotRequired[int]
    """The span took at least this many milliseconds."""
    tag: NotRequired[str]
    """Tag of the record."""


class ListMonitorsQuery(TypedDict):
    """Arguments of `list_monitors`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateMonitorBody(TypedDict):
    """Arguments of `create_monitor`: its body."""

    name: str
    """Name of the monitor."""
    metric_ids: list[str]
    """Metrics that score the drawn records, each with its configuration at that time."""
    sampling_rate: float
    """Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor with this rate or a higher one draws the same record."""
    filter: NotRequired[UpdateMonitorBodyFilter]
    """Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records."""
    settle_seconds: NotRequired[int]
    """Seconds without new spans after which the monitor looks at a record."""
    paused: NotRequired[bool]
    """Whether the monitor ignores what arrives."""


class UpsertMonitorBody(TypedDict):
    """Arguments of `upsert_monitor`: its body."""

    description: str
    """Name of the monitor. A monitor of this name is changed, otherwise one is created."""
    metrics: list[str]
    """Metrics that score the records. They replace those of an existing monitor."""
    filter: NotRequired[UpsertMonitorBodyFilter]
    """Records that the monitor looks at. Empty: all records."""


class UpsertMonitorBodyFilter(TypedDict):
    """Records that the monitor looks at. Empty: all records."""

    serviceName: NotRequired[str]
    """Service of a span of the record."""


class ListOrganizationsQuery(TypedDict):
    """Arguments of `list_organizations`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateOrganizationBody(TypedDict):
    """Arguments of `create_organization`: its body."""

    name: str
    """Name of the organization."""
    admin_email: str
    """E-mail address, unique in the organization."""
    admin_name: NotRequired[str]
    """Name of the person."""


class UpdateOrganizationBody(TypedDict):
    """Arguments of `update_organization`: its body."""

    name: str
    """Name of the organization."""


class CreateOperatorLinkBody(TypedDict):
    """Arguments of `create_operator_link`: its body."""

    email: str
    """E-mail address, unique in the organization."""


class ListPreferenceComparisonsQuery(TypedDict):
    """Arguments of `list_preference_comparisons`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    only: NotRequired[Literal["disagreements"]]
    """Only pairs on which two people, or people and the model, differ. A tie differs from a preference. Default: all pairs."""


class UpdatePreferenceJudgeBody(TypedDict):
    """Arguments of `update_preference_judge`: its body."""

    model_name: str
    """Model that compares, such as `openai/gpt-4.1-mini`."""
    budget_usd: NotRequired[float]
    """Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit."""


class SubmitPreferenceBody(TypedDict):
    """Arguments of `submit_preference`: its body."""

    pair_number: int
    """Number of the pair."""
    choice: Literal["left", "right", "tie"]
    """The better output, by the side on which you saw it, or `tie`."""
    comment: NotRequired[str]
    """Reason for the choice."""


class GetPreferenceResultQuery(TypedDict):
    """Arguments of `get_preference_result`: its query."""

    level: NotRequired[float]
    """Confidence level of every interval."""


class ListPreferenceStudiesQuery(TypedDict):
    """Arguments of `list_preference_studies`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreatePreferenceStudyBody(TypedDict):
    """Arguments of `create_preference_study`: its body."""

    name: NotRequired[str]
    """Name of the study."""
    criterion: str
    """What makes an output the better one. People and the model read it."""
    run_ids: list[str]
    """Runs of the project on the same testcases, each once."""
    num_testcases: NotRequired[int]
    """Number of testcases to draw from those that all runs answered."""
    judge: NotRequired[CreatePreferenceStudyBodyJudge]
    """Model that compares the pairs too. Default: only people compare."""


class CreatePreferenceStudyBodyJudge(TypedDict):
    """Model that compares the pairs too. Default: only people compare."""

    modelName: str
    """Model that compares, such as `openai/gpt-4.1-mini`."""
    budgetUsd: NotRequired[float]
    """Budget of the model in US dollars. It stops there; only calls under way can exceed the budget. Default: no limit."""


class EstimatePreferenceStudyBody(TypedDict):
    """Arguments of `estimate_preference_study`: its body."""

    name: NotRequired[str]
    """Name of the study."""
    criterion: str
    """What makes an output the better one. People and the model read it."""
    run_ids: list[str]
    """Runs of the project on the same testcases, each once."""
    num_testcases: NotRequired[int]
    """Number of testcases to draw from those that all runs answered."""
    judge: NotRequired[CreatePreferenceStudyBodyJudge]
    """Model that compares the pairs too. Default: only people compare."""


class ListProjectsQuery(TypedDict):
    """Arguments of `list_projects`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateProjectBody(TypedDict):
    """Arguments of `create_project`: its body."""

    name: str
    """Name of the project."""
    description: str
    """Description of the project."""
    import_key: NotRequired[str]
    """Key that an import tool chooses for its source. A second create with the same key returns the first project."""


class UpdateProjectBody(TypedDict):
    """Arguments of `update_project`: its body."""

    name: NotRequired[str | None]
    """New name."""
    description: NotRequired[str | None]
    """New description."""


class AskProjectBody(TypedDict):
    """Arguments of `ask_project`: its body."""

    question: str
    """Question about the project."""


class ListCreatorsQuery(TypedDict):
    """Arguments of `list_creators`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    resource: Literal["testsets", "metrics", "systems"]
    """Whose creators."""


class PreviewMaskingBody(TypedDict):
    """Arguments of `preview_masking`: its body."""

    settings: NotRequired[PreviewMaskingBodySettings]
    """Settings to try. Default: those of the project."""
    data: dict[str, Any]
    """An object to mask. A path of a field begins at its first key, so put a record as {"inputs": {}, "outputs": {}}."""


class PreviewMaskingBodySettings(TypedDict):
    """Settings to try. Default: those of the project."""

    patterns: list[Literal["email", "phone", "creditCard", "iban", "ipAddress", "secret"]]
    """Built-in patterns to look for."""
    custom: list[PreviewMaskingBodySettingsCustomItem]
    """Custom patterns, applied before the built-in ones."""
    fields: list[str]
    """Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items."""
    hashed: bool
    """Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal."""
    testcases: bool
    """Whether testcases are masked too."""
    comments: bool
    """Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too."""


class PreviewMaskingBodySettingsCustomItem(TypedDict):
    """PreviewMaskingBodySettingsCustomItem."""

    name: str
    """Name of the pattern. The match is replaced by this name in capitals: [NAME]."""
    pattern: str
    """Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text."""


class UpsertProjectMemberBody(TypedDict):
    """Arguments of `upsert_project_member`: its body."""

    role: Literal["admin", "member", "annotator", "viewer"]
    """admin: may do everything, including members and keys. member: may read and write. viewer: may read. annotator: may only see the review queues and score and annotate their records."""


class PreviewRetentionQuery(TypedDict):
    """Arguments of `preview_retention`: its query."""

    record_days: NotRequired[int]
    """Counts as if this were set."""
    trace_days: NotRequired[int]
    """Counts as if this were set."""


class UpdateProjectSettingsBody(TypedDict):
    """Arguments of `update_project_settings`: its body."""

    restricted: NotRequired[bool]
    """Whether only the project's members and the organization's admins see the project."""
    record_days: NotRequired[int | None]
    """Days after which records, with their scores and traces, are deleted; null: never."""
    trace_days: NotRequired[int | None]
    """Days after which traces, and the records created from them, are deleted; null: never."""
    search_index: NotRequired[bool | None]
    """Whether the texts and fields of records are indexed for search; null: from the first search on that needs the index. A search finds every record without the index too, but reads the records one by one."""
    masking: NotRequired[UpdateProjectSettingsBodyMasking]
    """What the project replaces in data that arrives from now on."""


class UpdateProjectSettingsBodyMasking(TypedDict):
    """What the project replaces in data that arrives from now on."""

    patterns: list[Literal["email", "phone", "creditCard", "iban", "ipAddress", "secret"]]
    """Built-in patterns to look for."""
    custom: list[PreviewMaskingBodySettingsCustomItem]
    """Custom patterns, applied before the built-in ones."""
    fields: list[str]
    """Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items."""
    hashed: bool
    """Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal."""
    testcases: bool
    """Whether testcases are masked too."""
    comments: bool
    """Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too."""


class ListModelEndingsQuery(TypedDict):
    """Arguments of `list_model_endings`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class ListProvidersQuery(TypedDict):
    """Arguments of `list_providers`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateProviderBody(TypedDict):
    """Arguments of `create_provider`: its body."""

    name: str
    """The part of an evalModelName before the slash: `ollama` for `ollama/gemma3`."""
    kind: Literal["openai", "anthropic", "google", "azure", "bedrock", "openai-compatible"]
    """API of the provider."""
    base_url: NotRequired[str]
    """Base URL; default that of the public API; required for openai-compatible."""
    api_key: NotRequired[str]
    """API key. Stored encrypted and never shown."""
    options: NotRequired[dict[str, str]]
    """azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them."""
    max_concurrency: NotRequired[int]
    """Maximum number of concurrent requests of one process."""
    requests_per_minute: NotRequired[int | None]
    """Maximum number of requests per minute of one process; null means no limit."""
    prices: NotRequired[dict[str, CreateProviderBodyPricesValue]]
    """Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server."""
    max_output_tokens: NotRequired[int]
    """Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it."""
    timeout_ms: NotRequired[int]
    """Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own."""


class CreateProviderBodyPricesValue(TypedDict):
    """US dollars per million tokens."""

    input: float
    """Price of a million tokens that the model reads."""
    output: float
    """Price of a million tokens that the model writes."""
    cachedInput: NotRequired[float]
    """Price of a million tokens read from the cache. Default: input."""
    cacheWrite: NotRequired[float]
    """Price of a million tokens stored in the cache. Default: input."""
    audioInput: NotRequired[float]
    """Price of a million tokens of sound that the model reads. Default: input."""
    cachedAudioInput: NotRequired[float]
    """Price of a million tokens of sound read from the cache. Default: cachedInput."""
    audioOutput: NotRequired[float]
    """Price of a million tokens of sound that the model makes. Default: output."""


class UpdateProviderBody(TypedDict):
    """Arguments of `update_provider`: its body."""

    base_url: NotRequired[str | None]
    """Base URL; null for the default."""
    api_key: NotRequired[str]
    """API key. Stored encrypted and never shown."""
    options: NotRequired[dict[str, str]]
    """azure: resourceName, apiVersion. bedrock: region, accessKeyId, secretAccessKey, sessionToken. openai: organization, project. Secret options are stored encrypted and never shown; an update without them keeps them."""
    max_concurrency: NotRequired[int]
    """Maximum number of concurrent requests of one process."""
    requests_per_minute: NotRequired[int | None]
    """Maximum number of requests per minute of one process; null means no limit."""
    prices: NotRequired[dict[str, CreateProviderBodyPricesValue]]
    """Prices of models by their name, in US dollars per million tokens: `{ "gemma3": { "input": 0.1, "output": 0.4 } }`. They override the price table of the server."""
    max_output_tokens: NotRequired[int]
    """Longest reply of a judge in tokens, its thoughts included. Not sent to models that refuse it."""
    timeout_ms: NotRequired[int]
    """Time for one answer, in milliseconds: a verdict of a judge with the repair of an unreadable one, or the answer to any other question of the service. Systems under test have their own."""


class TestProviderBody(TypedDict):
    """Arguments of `test_provider`: its body."""

    model_name: str
    """The model to ask, without the name of the provider."""


class ListProjectRecordsQuery(TypedDict):
    """Arguments of `list_project_records`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    offset: NotRequired[int]
    """Number of records to skip. Skipping costs as much as reading them. To continue from there use cursor; with a cursor, offset is ignored."""
    sort: NotRequired[str]
    """Order: created, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest first. Default -created. Records without a value come last. Takes the place of `sort:` in q."""
    q: NotRequired[str]
    """Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters."""
    tags: NotRequired[list[str]]
    """Only records with all of these tags. Repeat the parameter or separate tags with commas."""
    run_id: NotRequired[str]
    """Only records of this run."""
    metric_id: NotRequired[str]
    """Metric that `result` refers to; default any metric."""
    result: NotRequired[Literal["pass", "fail", "pending", "unscored", "failed"]]
    """Only records with a score of this result. pass and fail are values; the rest are states."""
    assignee_user_id: NotRequired[str]
    """Only records assigned to this user."""
    text: NotRequired[str]
    """Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter."""
    created_after: NotRequired[str]
    """Only records created at this time or later."""
    created_before: NotRequired[str]
    """Only records created before this time."""


class GroupProjectRecordsQuery(TypedDict):
    """Arguments of `group_project_records`: its query."""

    by: str
    """What to group by, in the words of the search: a field such as `outputs.answer`, a score such as `score.Accuracy`, or tag, model, version, run, user, session, source, error or testcase."""
    newest: NotRequired[int]
    """Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out."""
    rate_of: NotRequired[str]
    """Metric, by id or name, whose pass rate each group gets."""
    most: NotRequired[int]
    """Maximum number of groups, 1 to 200: the largest."""
    q: NotRequired[str]
    """Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters."""
    tags: NotRequired[list[str]]
    """Only records with all of these tags. Repeat the parameter or separate tags with commas."""
    run_id: NotRequired[str]
    """Only records of this run."""
    metric_id: NotRequired[str]
    """Metric that `result` refers to; default any metric."""
    result: NotRequired[Literal["pass", "fail", "pending", "unscored", "failed"]]
    """Only records with a score of this result. pass and fail are values; the rest are states."""
    assignee_user_id: NotRequired[str]
    """Only records assigned to this user."""
    text: NotRequired[str]
    """Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter."""
    created_after: NotRequired[str]
    """Only records created at this time or later."""
    created_before: NotRequired[str]
    """Only records created before this time."""


class GetRecordHistogramQuery(TypedDict):
    """Arguments of `get_record_histogram`: its query."""

    buckets: NotRequired[int]
    """Maximum number of time intervals, 2 to 500."""
    q: NotRequired[str]
    """Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters."""
    tags: NotRequired[list[str]]
    """Only records with all of these tags. Repeat the parameter or separate tags with commas."""
    run_id: NotRequired[str]
    """Only records of this run."""
    metric_id: NotRequired[str]
    """Metric that `result` refers to; default any metric."""
    result: NotRequired[Literal["pass", "fail", "pending", "unscored", "failed"]]
    """Only records with a score of this result. pass and fail are values; the rest are states."""
    assignee_user_id: NotRequired[str]
    """Only records assigned to this user."""
    text: NotRequired[str]
    """Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter."""
    created_after: NotRequired[str]
    """Only records created at this time or later."""
    created_before: NotRequired[str]
    """Only records created before this time."""


class ListRecordsQuery(TypedDict):
    """Arguments of `list_records`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    tags: NotRequired[list[str]]
    """Only records with all of these tags. Repeat the parameter or separate tags with commas."""


class CreateRecordBody(TypedDict):
    """Arguments of `create_record`: its body."""

    testcase_id: NotRequired[str]
    """Testcase that the record belongs to."""
    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    otel_link_id: NotRequired[str]
    """Id that links the record to a trace. A second create in the run with the same id returns the first record. An empty id means no link."""
    session_id: NotRequired[str]
    """Session that the record belongs to."""


class CreateRecordsBody(TypedDict):
    """Arguments of `create_records`: its body."""

    items: list[CreateRecordsBodyItemsItem]
    """The records, 1 to 1000. All are created or none."""


class CreateRecordsBodyItemsItem(TypedDict):
    """CreateRecordsBodyItemsItem."""

    testcaseId: NotRequired[str]
    """Testcase that the record belongs to."""
    inputs: dict[str, Any]
    """Input of the system."""
    expected: dict[str, Any]
    """Expected output."""
    outputs: dict[str, Any]
    """Output of the system."""
    otelLinkId: NotRequired[str]
    """Id that links the record to a trace. A second create in the run with the same id returns the first record. An empty id means no link."""
    sessionId: NotRequired[str]
    """Session that the record belongs to."""
    scores: NotRequired[list[CreateRecordsBodyItemsItemScoresItem]]
    """Existing scores. They are stored with the record and not asked for again."""


class CreateRecordsBodyItemsItemScoresItem(TypedDict):
    """CreateRecordsBodyItemsItemScoresItem."""

    metricConfigId: str
    """Configuration of the metric that gave the score."""
    score: dict[str, Any]
    """One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB."""
    madeBy: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class ListReviewDisagreementsQuery(TypedDict):
    """Arguments of `list_review_disagreements`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    run_id: NotRequired[str]
    """Only records of this run."""


class AssignReviewsBody(TypedDict):
    """AssignReviewsBody."""

    userIds: list[str]
    """People who get the records, in turn. Empty: with `fromUserId`, the records are then for anyone."""
    numPerRecord: NotRequired[int]
    """Number of these people who get each record."""
    fromUserId: NotRequired[str]
    """Reassigns the records of this user that still wait for their score. Without it, only records without an assigned user are assigned."""
    maxRecords: NotRequired[int]
    """Maximum number of records, oldest first."""


class AssignReviewsQuery(TypedDict):
    """Arguments of `assign_reviews`: its query."""

    metric_id: NotRequired[str]
    """Only records whose score for this metric is pending."""
    run_id: NotRequired[str]
    """Only records of this run."""


class LeaveReviewsQuery(TypedDict):
    """Arguments of `leave_reviews`: its query."""

    metric_id: NotRequired[str]
    """Only records whose score for this metric is pending."""
    run_id: NotRequired[str]
    """Only records of this run."""
    record_id: NotRequired[str]
    """Only this record."""


class NextReviewQuery(TypedDict):
    """Arguments of `next_review`: its query."""

    metric_id: NotRequired[str]
    """Only records whose score for this metric is pending."""
    run_id: NotRequired[str]
    """Only records of this run."""


class GetReviewProgressQuery(TypedDict):
    """Arguments of `get_review_progress`: its query."""

    metric_id: NotRequired[str]
    """Only records whose score for this metric is pending."""
    run_id: NotRequired[str]
    """Only records of this run."""


class UndoReviewQuery(TypedDict):
    """Arguments of `undo_review`: its query."""

    metric_id: NotRequired[str]
    """Only records whose score for this metric is pending."""
    run_id: NotRequired[str]
    """Only records of this run."""


class SubmitReviewsBody(TypedDict):
    """Arguments of `submit_reviews`: its body."""

    reviews: list[SubmitReviewsBodyReviewsItem]
    """Your score by each metric."""
    skip: NotRequired[list[str]]
    """Configurations by which you skip the record."""
    replace: NotRequired[bool]
    """Whether your earlier reviews of the record may be replaced. false: the answer is 409 if there is one by these metrics."""


class SubmitReviewsBodyReviewsItem(TypedDict):
    """SubmitReviewsBodyReviewsItem."""

    metricConfigId: str
    """Configuration of the metric."""
    score: dict[str, Any]
    """The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning."""
    madeBy: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class SubmitReviewBody(TypedDict):
    """Arguments of `submit_review`: its body."""

    score: dict[str, Any]
    """The value field of the metric (binaryScore, intScore, floatScore or categoryScore), with reasoning."""
    made_by: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class ListSampledRecordsQuery(TypedDict):
    """Arguments of `list_sampled_records`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class ListReviewSamplesQuery(TypedDict):
    """Arguments of `list_review_samples`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateReviewSampleBody(TypedDict):
    """Arguments of `create_review_sample`: its body."""

    metric_id: str
    """Human metric whose queue is filled, with its current configuration."""
    size: NotRequired[int]
    """Number of records in the sample. Either this or share."""
    share: NotRequired[float]
    """Share of the run's records in the sample, rounded up. Either this or size."""
    seed: NotRequired[int]
    """Seed of the sample: the records of a stratum are drawn in the order of the SHA-256 of "<seed> <record id>"."""
    stratify_by: NotRequired[CreateReviewSampleBodyStratifyBy]
    """What defines the strata: one of the four."""
    allocation: NotRequired[Literal["proportional", "equal"]]
    """How the sample is divided among the strata: in proportion to their records, or as equally as possible. Each gets at least one record."""


class CreateReviewSampleBodyStratifyBy(TypedDict):
    """What defines the strata: one of the four."""

    tag: NotRequired[str]
    """Two strata: records with this tag and records without it."""
    inputField: NotRequired[str]
    """One stratum for each value of this field of the inputs; a long value counts by its start."""
    testcaseField: NotRequired[str]
    """One stratum for each value of this field of the testcase's current data."""
    metricId: NotRequired[str]
    """Three strata by another metric: pass, fail, or no valid score yet."""


class ListRunDetailsQuery(TypedDict):
    """Arguments of `list_run_details`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    origin: NotRequired[str]
    """Only runs with this origin."""
    mark: NotRequired[str]
    """Only runs with this mark."""
    gate: NotRequired[str]
    """Only runs that this gate decided about."""
    outcome: NotRequired[Literal["pass", "worse", "inconclusive", "incomplete"]]
    """Only runs with this verdict of a gate; with `gate`, of that gate."""
    q: NotRequired[str]
    """A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain."""
    tag: NotRequired[str]
    """Only runs with this tag."""
    testset_id: NotRequired[str]
    """Only runs of this testset."""
    system_id: NotRequired[str]
    """Only runs of this system."""
    metric_id: NotRequired[str]
    """Only runs with this metric."""
    status: NotRequired[Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]]
    """Only runs with this status."""
    kind: NotRequired[Literal["evaluation", "traces", "trial"]]
    """Only runs of this kind."""
    scored: NotRequired[bool]
    """true: only runs that have scores."""


class ListRunsQuery(TypedDict):
    """Arguments of `list_runs`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    origin: NotRequired[str]
    """Only runs with this origin."""
    mark: NotRequired[str]
    """Only runs with this mark."""
    gate: NotRequired[str]
    """Only runs that this gate decided about."""
    outcome: NotRequired[Literal["pass", "worse", "inconclusive", "incomplete"]]
    """Only runs with this verdict of a gate; with `gate`, of that gate."""
    q: NotRequired[str]
    """A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain."""
    tag: NotRequired[str]
    """Only runs with this tag."""
    testset_id: NotRequired[str]
    """Only runs of this testset."""
    system_id: NotRequired[str]
    """Only runs of this system."""
    metric_id: NotRequired[str]
    """Only runs with this metric."""
    status: NotRequired[Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]]
    """Only runs with this status."""
    kind: NotRequired[Literal["evaluation", "traces", "trial"]]
    """Only runs of this kind."""
    scored: NotRequired[bool]
    """true: only runs that have scores."""


class CreateRunBody(TypedDict):
    """Arguments of `create_run`: its body."""

    testset_id: NotRequired[str | None]
    """Testset of the run."""
    snapshot: NotRequired[int]
    """Number of the snapshot of the testset that the run is about; default the testset as it is now, which then gets a snapshot. An older one needs execute."""
    split: NotRequired[str]
    """Split of the testset that the run is about; default all testcases."""
    fresh: NotRequired[int]
    """Fresh testcases that the run takes: they join the testset before its snapshot, and are fresh for this run alone. Fewer if fewer wait."""
    system_version_id: NotRequired[str | None]
    """Version of the system under test."""
    metric_ids: list[str]
    """Metrics that score each record, without duplicates."""
    execute: NotRequired[bool]
    """Whether the service calls the system version with each testcase and creates the records (docs/executing-runs.md)."""
    judge_budget_usd: NotRequired[float]
    """Budget for the judges of the run in US dollars; default no limit (docs/judges.md)."""
    trials: NotRequired[int]
    """Number of trials of each testcase, with execute."""
    simulation: NotRequired[CreateRunBodySimulation]
    """With execute, each record is a conversation with a simulated user (docs/simulating.md)."""
    name: NotRequired[str | None]
    """Name of the run; null or empty for none. `title` then says what the run is."""
    tags: NotRequired[list[str]]
    """Tags of the run."""
    origin: NotRequired[str]
    """Origin of the run, such as the tool and id of an import. Lists find the run by it."""


class CreateRunBodySimulation(TypedDict):
    """With execute, each record is a conversation with a simulated user (docs/simulating.md)."""

    userVersionId: NotRequired[str]
    """System version that plays the user: a prompt. Required without replayOf."""
    maxTurns: NotRequired[int]
    """Maximum number of replies of the system in one conversation."""
    replayOf: NotRequired[str]
    """Simulation of the same testset whose user messages are sent again, word for word. No model plays the user. Required without userVersionId."""


class EstimateRunBody(TypedDict):
    """Arguments of `estimate_run`: its body."""

    metric_ids: list[str]
    """Metrics that would score, each once."""
    testset_id: NotRequired[str]
    """Testset whose testcases become records."""
    snapshot: NotRequired[int]
    """Number of the snapshot of the testset that the run is about; default the testset as it is now, which then gets a snapshot. An older one needs execute."""
    split: NotRequired[str]
    """Split of the testset that the run is about; default all testcases."""
    trials: NotRequired[int]
    """Number of trials of each testcase."""
    num_records: NotRequired[int]
    """Number of records, if there is no testset."""
    testcases: NotRequired[list[dict[str, Any]]]
    """Testcases that are not stored yet, in place of testsetId."""
    system_version_id: NotRequired[str]
    """System under test. With simulation, this or systemConfig is required; else it gives systemCostUsd."""
    system_config: NotRequired[dict[str, Any]]
    """Configuration of a system that is not stored yet, in place of systemVersionId."""
    simulation: NotRequired[CreateRunBodySimulation]
    """With execute, each record is a conversation with a simulated user (docs/simulating.md)."""
    user_config: NotRequired[dict[str, Any]]
    """Prompt of a simulated user that is not stored yet, in place of userVersionId in simulation."""


class GroupProjectRunsQuery(TypedDict):
    """Arguments of `group_project_runs`: its query."""

    by: str
    """What to group by: testset, system, version, metric, tag, mark, gate, outcome, status, kind or origin."""
    newest: NotRequired[int]
    """Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out."""
    rate_of: NotRequired[str]
    """Metric, by id or name, whose pass rate each group gets."""
    most: NotRequired[int]
    """Maximum number of groups, 1 to 200: the largest."""
    origin: NotRequired[str]
    """Only runs with this origin."""
    mark: NotRequired[str]
    """Only runs with this mark."""
    gate: NotRequired[str]
    """Only runs that this gate decided about."""
    outcome: NotRequired[Literal["pass", "worse", "inconclusive", "incomplete"]]
    """Only runs with this verdict of a gate; with `gate`, of that gate."""
    q: NotRequired[str]
    """A search such as `testset:Mails tag:nightly prompt`: filters, and words that title, notes, tags, marks or origin contain."""
    tag: NotRequired[str]
    """Only runs with this tag."""
    testset_id: NotRequired[str]
    """Only runs of this testset."""
    system_id: NotRequired[str]
    """Only runs of this system."""
    metric_id: NotRequired[str]
    """Only runs with this metric."""
    status: NotRequired[Literal["pending", "awaiting_execution", "running_execution", "awaiting_scoring", "running_scoring", "awaiting_human_scoring", "completed"]]
    """Only runs with this status."""
    kind: NotRequired[Literal["evaluation", "traces", "trial"]]
    """Only runs of this kind."""
    scored: NotRequired[bool]
    """true: only runs that have scores."""


class CancelRunBody(TypedDict):
    """Arguments of `cancel_run`: its body."""

    of: NotRequired[Literal["executions", "scores", "proposals"]]
    """Only this kind of work. Default: all three."""
    metric_id: NotRequired[str]
    """Only scores, or proposals, of this metric. Needs `of: scores` or `of: proposals`."""
    record_id: NotRequired[str]
    """Only the score of this record by `metricConfigId`. Needs `of: scores`."""
    metric_config_id: NotRequired[str]
    """Only the score of `recordId` by this configuration of a metric."""
    trial_number: NotRequired[int]
    """Only proposals of this rescoring of `metricId`. Needs `of: proposals`."""


class UpdateRunDetailsBody(TypedDict):
    """Arguments of `update_run_details`: its body."""

    name: NotRequired[str | None]
    """Name of the run; null or empty for none. `title` then says what the run is."""
    tags: NotRequired[list[str]]
    """Tags of the run."""
    marks: NotRequired[list[str]]
    """Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs."""
    notes: NotRequired[str]
    """Notes on the run."""
    judge_budget_usd: NotRequired[float | None]
    """Budget in US dollars for all verdicts since the start of the run; null removes the limit. Scores that wait for a higher budget continue."""


class AddRunMetricsBody(TypedDict):
    """Arguments of `add_run_metrics`: its body."""

    metric_ids: list[str]
    """Metrics of the project, without duplicates. Metrics that the run already has stay as they are."""


class RetryRunBody(TypedDict):
    """Arguments of `retry_run`: its body."""

    of: NotRequired[Literal["executions", "scores", "proposals"]]
    """Only this kind of work. Default: all three."""
    metric_id: NotRequired[str]
    """Only scores, or proposals, of this metric. Needs `of: scores` or `of: proposals`."""
    record_id: NotRequired[str]
    """Only the score of this record by `metricConfigId`. Needs `of: scores`."""
    metric_config_id: NotRequired[str]
    """Only the score of `recordId` by this configuration of a metric."""
    trial_number: NotRequired[int]
    """Only proposals of this rescoring of `metricId`. Needs `of: proposals`."""
    states: NotRequired[list[Literal["failed", "unscored"]]]
    """Only scores in these states. Default: both. Needs `of: scores`."""


class UpsertRunVerdictBody(TypedDict):
    """Arguments of `upsert_run_verdict`: its body."""

    outcome: Literal["pass", "worse", "inconclusive", "incomplete"]
    """pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing)."""
    baseline_run_id: NotRequired[str | None]
    """Run that it was compared with; null without one."""
    against: NotRequired[str | None]
    """The runs that it was compared with, in words; null without one."""
    reason: NotRequired[str | None]
    """The first rule that did not pass; null if all passed."""
    mark: NotRequired[str]
    """Mark that the run gets. Only with the outcome pass."""


class CreateScheduleBody(TypedDict):
    """Arguments of `create_schedule`: its body."""

    name: str
    """Name of the schedule, and of its runs."""
    cron: str
    """Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart."""
    time_zone: NotRequired[str]
    """Time zone of the expression, by its IANA name such as Europe/Athens."""
    task: CreateScheduleBodyTask1 | CreateScheduleBodyTask2
    """What the service starts."""
    paused: NotRequired[bool]
    """Whether nothing is started."""


class CreateScheduleBodyTask1(TypedDict):
    """CreateScheduleBodyTask1."""

    kind: Literal["run"]
    """Starts a run that the service executes."""
    testsetId: str
    """Testset of the run."""
    snapshot: NotRequired[int]
    """Number of the snapshot that each run is about; default the testset as it is then."""
    split: NotRequired[str]
    """Split of the testset that the run is about; default all testcases."""
    systemId: str
    """System that is called, with the version that is then its production version."""
    metricIds: list[str]
    """Metrics that score each record."""
    trials: NotRequired[int]
    """Number of trials of each testcase; default 1."""
    simulation: NotRequired[CreateScheduleBodyTask1Simulation]
    """Makes each record a conversation with a simulated user (docs/simulating.md)."""
    judgeBudgetUsd: NotRequired[float]
    """Budget of the judges of each run in US dollars; default no limit."""


class CreateScheduleBodyTask1Simulation(TypedDict):
    """Makes each record a conversation with a simulated user (docs/simulating.md)."""

    userVersionId: str
    """System version that plays the user. It stays the same, so that results of different nights compare."""
    maxTurns: NotRequired[int]
    """Maximum number of replies of the system in one conversation."""


class CreateScheduleBodyTask2(TypedDict):
    """CreateScheduleBodyTask2."""

    kind: Literal["drift"]
    """Starts a drift trial of a judge."""
    metricId: str
    """Metric with pinned records."""


class UpdateScheduleBody(TypedDict):
    """Arguments of `update_schedule`: its body."""

    name: NotRequired[str]
    """Name of the schedule, and of its runs."""
    cron: NotRequired[str]
    """Cron expression of five fields: minute, hour, day of the month, month, day of the week. `0 2 * * 1-5` is 02:00 from Monday to Friday. Two times must be at least 5 minutes apart."""
    time_zone: NotRequired[str]
    """Time zone of the expression, by its IANA name such as Europe/Athens."""
    task: NotRequired[CreateScheduleBodyTask1 | CreateScheduleBodyTask2]
    """What the service starts."""
    paused: NotRequired[bool]
    """true: nothing is started until it is false again."""
    run_now: NotRequired[Literal[True]]
    """Makes it due at once. Its later times do not change."""


class UpsertScoreBody(TypedDict):
    """Arguments of `upsert_score`: its body."""

    score: NotRequired[dict[str, Any]]
    """One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB."""
    user_id: NotRequired[str]
    """Member who gave the score, with the score of a human metric only; default: the member of the key. It also counts as a review by this member."""
    made_by: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class GetSpanScoreQuery(TypedDict):
    """Arguments of `get_span_score`: its query."""

    trace_id: NotRequired[str]
    """Trace of the span. Needed only if two traces of the record have a span of this id."""


class UpsertSpanScoreBody(TypedDict):
    """Arguments of `upsert_span_score`: its body."""

    score: dict[str, Any]
    """One of binaryScore, intScore and floatScore, with reasoning."""
    made_by: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""
    trace_id: NotRequired[str]
    """Trace of the span. Needed only if two traces of the record have a span of this id."""


class UpsertScoresBody(TypedDict):
    """Arguments of `upsert_scores`: its body."""

    items: list[UpsertScoresBodyItemsItem]
    """Scores of records of this run, or the reasons why they are missing, 1 to 1000. All are stored or none."""


class UpsertScoresBodyItemsItem(TypedDict):
    """UpsertScoresBodyItemsItem."""

    recordId: str
    """Id of the record."""
    metricConfigId: str
    """Configuration of the metric that gave the score."""
    score: NotRequired[dict[str, Any]]
    """One of binaryScore, intScore and floatScore, with reasoning; categoryScore, a label, for a category metric. For a metric with criteria: `criteria: [{ id, met, reason, quote }]`, from which floatScore is computed. All scores of a record have at most 100 MB."""
    reason: NotRequired[str]
    """Why there is no score: the record is unscored. In place of score."""
    madeBy: NotRequired[Literal["person", "client", "model"]]
    """Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge."""


class UpdatePasswordBody(TypedDict):
    """Arguments of `update_password`: its body."""

    current_password: str
    """The current password."""
    new_password: str
    """The new password, 10 to 200 characters."""


class GetSignInLinkBody(TypedDict):
    """Arguments of `get_sign_in_link`: its body."""

    token: str
    """The part of a sign-in link after the #."""


class RedeemSignInLinkBody(TypedDict):
    """Arguments of `redeem_sign_in_link`: its body."""

    token: str
    """The part of a sign-in link after the #."""
    password: NotRequired[str]
    """The new password, 10 to 200 characters."""
    name: NotRequired[str]
    """Name of the person."""
    email: NotRequired[str]
    """E-mail address, unique in the organization."""


class SignInBody(TypedDict):
    """Arguments of `sign_in`: its body."""

    email: str
    """E-mail address of the member."""
    password: str
    """Password of the member."""


class SwitchOrganizationBody(TypedDict):
    """Arguments of `switch_organization`: its body."""

    organization_id: str
    """Id of the organization to switch to."""
    join: NotRequired[bool]
    """Whether to join it first, if its admins added you and you have not joined it yet."""


class SimulateUserBody(TypedDict):
    """Arguments of `simulate_user`: its body."""

    testcase_id: str
    """Testcase of the conversation; its fields fill the prompt."""
    messages: list[SimulateUserBodyMessagesItem]
    """The conversation so far, oldest first; empty when the user begins."""


class SimulateUserBodyMessagesItem(TypedDict):
    """SimulateUserBodyMessagesItem."""

    role: str
    """user: the simulated user. assistant: the system under test. Other roles are ignored."""
    content: NotRequired[str | None]
    """The text of the message; empty in a tool call."""


class ListSystemsQuery(TypedDict):
    """Arguments of `list_systems`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class UpsertSystemBody(TypedDict):
    """Arguments of `upsert_system`: its body."""

    description: NotRequired[str]
    """Description of the system."""
    name: NotRequired[str]
    """Name of the system, created if it does not exist."""
    config: dict[str, Any]
    """Configuration of this version: model, prompt, parameters; any JSON object."""


class TrySystemBody(TypedDict):
    """Arguments of `try_system`: its body."""

    config: NotRequired[dict[str, Any]]
    """Configuration of the system, as of a version. Required without systemVersionId."""
    system_version_id: NotRequired[str]
    """Version of a system of the project. Required without config."""
    testcase_id: NotRequired[str]
    """Testcase of the project that is sent to the system. Required without inputs."""
    inputs: NotRequired[dict[str, Any]]
    """Inputs that are sent to the system. Required without testcaseId."""
    simulation: NotRequired[TrySystemBodySimulation]
    """Holds one conversation of a simulation. Fields of the testcase or inputs such as `persona` describe the user."""


class TrySystemBodySimulation(TypedDict):
    """Holds one conversation of a simulation. Fields of the testcase or inputs such as `persona` describe the user."""

    userConfig: dict[str, Any]
    """Configuration of the prompt that plays the user, as of a version."""
    maxTurns: NotRequired[int]
    """Maximum number of replies of the system."""


class UpdateSystemBody(TypedDict):
    """Arguments of `update_system`: its body."""

    name: NotRequired[str]
    """New name. Answers 409 if another system of the project has it."""
    description: NotRequired[str]
    """New description."""
    production_version_id: NotRequired[str]
    """Id of the new production version."""


class UpsertSystemLabelBody(TypedDict):
    """Arguments of `upsert_system_label`: its body."""

    system_version_id: str
    """Version of the system that the label points to from now on."""
    protected: NotRequired[bool]
    """Whether only admins of the project can move or remove the label from now on. Only they can change this. Default: unchanged."""


class ListSystemVersionsQuery(TypedDict):
    """Arguments of `list_system_versions`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class UpsertSystemVersionBody(TypedDict):
    """Arguments of `upsert_system_version`: its body."""

    config: dict[str, Any]
    """Configuration of this version: model, prompt, parameters; any JSON object."""
    name: NotRequired[str]
    """Name of the version; renames an existing version with this configuration."""
    note: NotRequired[str]
    """Why the version was made."""


class ListProjectTagsQuery(TypedDict):
    """Arguments of `list_project_tags`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateRecordTagBody(TypedDict):
    """Arguments of `create_record_tag`: its body."""

    text: str
    """The tag: 1 to 256 characters after trimming, without a comma."""


class ListTestsetDetailsQuery(TypedDict):
    """Arguments of `list_testset_details`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class ListTestsetsQuery(TypedDict):
    """Arguments of `list_testsets`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateTestsetBody(TypedDict):
    """Arguments of `create_testset`: its body."""

    name: str
    """Name of the testset."""
    description: str
    """Description of the testset."""
    json_schema: dict[str, Any]
    """JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused."""
    field_mapping: CreateTestsetBodyFieldMapping
    """Meaning of the top-level fields of a testcase."""


class CreateTestsetBodyFieldMapping(TypedDict):
    """Meaning of the top-level fields of a testcase."""

    inputs: list[str]
    """Fields of jsonData that the system gets."""
    expected: list[str]
    """Fields of jsonData with the expected output."""
    metadata: list[str]
    """Fields of jsonData that only describe the testcase."""


class CreateTestcaseFromRecordBody(TypedDict):
    """Arguments of `create_testcase_from_record`: its body."""

    testset_id: str
    """Testset of the new testcase."""


class ListSealedLooksQuery(TypedDict):
    """Arguments of `list_sealed_looks`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateSealedLookBody(TypedDict):
    """Arguments of `create_sealed_look`: its body."""

    system_version_id: str
    """Version of a system to look at. The service must be able to call it."""


class DeleteTestcasesBody(TypedDict):
    """Arguments of `delete_testcases`: its body."""

    ids: list[str]
    """Ids of the testcases to delete. All are deleted or none."""
    erase: NotRequired[bool]
    """Whether their texts are erased from the snapshots of the testset too. By default, snapshots that have them keep them."""


class UpdateTestcaseBody(TypedDict):
    """Arguments of `update_testcase`: its body."""

    json_data: dict[str, Any]
    """The testcase as sent."""


class UpdateTestsetBody(TypedDict):
    """Arguments of `update_testset`: its body."""

    name: NotRequired[str]
    """Name of the testset."""
    description: NotRequired[str]
    """Description of the testset."""
    json_schema: NotRequired[dict[str, Any]]
    """JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused."""
    field_mapping: NotRequired[CreateTestsetBodyFieldMapping]
    """Meaning of the top-level fields of a testcase."""


class DraftTestcasesBody(TypedDict):
    """Arguments of `draft_testcases`: its body."""

    description: NotRequired[str]
    """Topic of the testcases."""
    record_ids: NotRequired[list[str]]
    """Records of the project, such as failures, that new testcases should be like."""
    num_testcases: int
    """Number of testcases."""
    model_name: NotRequired[str]
    """Model that writes them; default the model of judges."""


class ListFreshTestcasesQuery(TypedDict):
    """Arguments of `list_fresh_testcases`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateFreshTestcasesBody(TypedDict):
    """Arguments of `create_fresh_testcases`: its body."""

    items: list[CreateFreshTestcasesBodyItemsItem]
    """The testcases, 1 to 100."""


class CreateFreshTestcasesBodyItemsItem(TypedDict):
    """CreateFreshTestcasesBodyItemsItem."""

    jsonData: dict[str, Any]
    """The testcase as sent."""


class DeleteFreshTestcasesBody(TypedDict):
    """Arguments of `delete_fresh_testcases`: its body."""

    numbers: list[int]
    """Numbers of fresh testcases that wait. All are deleted or none."""


class DrawFreshTestcasesBody(TypedDict):
    """Arguments of `draw_fresh_testcases`: its body."""

    num_testcases: NotRequired[int]
    """Number of testcases."""
    days: NotRequired[int]
    """Traffic of so many days."""
    seed: NotRequired[int]
    """Seed of the draw."""
    dry_run: NotRequired[bool]
    """Whether nothing is added: a preview."""


class ListSealsQuery(TypedDict):
    """Arguments of `list_seals`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateSealBody(TypedDict):
    """Arguments of `create_seal`: its body."""

    ids: NotRequired[list[str]]
    """Only these testcases."""
    q: NotRequired[str]
    """A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md)."""
    share: NotRequired[float]
    """A drawn share of them, from 0 to 1. Testcases of one group stay together."""
    unseen: NotRequired[bool]
    """Whether only testcases count that no record has."""
    traffic: NotRequired[CreateSealBodyTraffic]
    """Makes the testcases of inputs of traced records, instead of testcases that exist. No one learns which were drawn. They have no expected output, so the metrics must do without. When the looks are spent, the next ones are drawn and sealed."""
    seed: NotRequired[int]
    """Seed of the draw."""
    baseline_version_id: str
    """Version of a system that later ones are compared with. The service must be able to call it."""
    metric_ids: list[str]
    """Metrics that decide, with their configurations of now: judges and code. People would see the testcases."""
    alpha: NotRequired[float]
    """Chance that any look errs, at most. Look t has t^-1.5 of it, divided by 2.612."""
    max_looks: NotRequired[int]
    """Looks until the split opens."""
    margin: NotRequired[float]
    """Loss that a version may have and still pass, such as 0.02. With 0 it passes only if it is shown to be better."""
    split: NotRequired[str]
    """Split that the testcases get when they open."""


class CreateSealBodyTraffic(TypedDict):
    """Makes the testcases of inputs of traced records, instead of testcases that exist. No one learns which were drawn. They have no expected output, so the metrics must do without. When the looks are spent, the next ones are drawn and sealed."""

    size: int
    """Records that are drawn, each with the same probability."""
    days: NotRequired[int]
    """Days that the traffic is drawn from."""


class UpdateTestsetSettingsBody(TypedDict):
    """Arguments of `update_testset_settings`: its body."""

    grouping_field: NotRequired[str | None]
    """Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups."""
    split_rules: NotRequired[list[UpdateTestsetSettingsBodySplitRulesItem]]
    """Which split a testcase gets that has none. The first rule that fits decides. Setting them splits the testcases that have no split; later ones get theirs when they are created."""


class UpdateTestsetSettingsBodySplitRulesItem(TypedDict):
    """UpdateTestsetSettingsBodySplitRulesItem."""

    split: str
    """Name of the split, such as dev or test."""
    q: NotRequired[str]
    """A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md)."""
    share: NotRequired[float]
    """Share of the testcases. It is drawn by the group of a testcase, so that no group is in two splits; the shares of the rules are of different testcases."""


class ListSnapshotsQuery(TypedDict):
    """Arguments of `list_snapshots`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class CreateSnapshotBody(TypedDict):
    """Arguments of `create_snapshot`: its body."""

    name: NotRequired[str]
    """Name of the snapshot; empty without one."""


class UpdateSnapshotBody(TypedDict):
    """Arguments of `update_snapshot`: its body."""

    name: str
    """Name of the snapshot; empty without one."""


class ListSnapshotDifferencesQuery(TypedDict):
    """Arguments of `list_snapshot_differences`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    against: NotRequired[int]
    """Number of the snapshot to compare with; default the testset as it is now."""
    testcase_id: NotRequired[str]
    """Only this testcase."""


class ListTestcasesQuery(TypedDict):
    """Arguments of `list_testcases`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    q: NotRequired[str]
    """A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md)."""
    snapshot: NotRequired[int]
    """Number of a snapshot: its testcases, as they were then. Default the testcases of now."""


class CreateTestcasesBody(TypedDict):
    """Arguments of `create_testcases`: its body."""

    items: list[CreateTestcasesBodyItemsItem]
    """The testcases, 1 to 100."""


class CreateTestcasesBodyItemsItem(TypedDict):
    """CreateTestcasesBodyItemsItem."""

    jsonData: dict[str, Any]
    """The testcase as sent."""
    split: NotRequired[str]
    """Name of the split, such as dev or test."""
    tags: NotRequired[list[str]]
    """Tags of the testcase."""


class UpdateTestcaseMarksBody(TypedDict):
    """Arguments of `update_testcase_marks`: its body."""

    ids: NotRequired[list[str]]
    """Only these testcases."""
    q: NotRequired[str]
    """A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md)."""
    share: NotRequired[float]
    """A drawn share of them, from 0 to 1."""
    seed: NotRequired[int]
    """Seed of the draw of the share."""
    split: NotRequired[str | None]
    """Split that they get; null takes it away."""
    add_tags: NotRequired[list[str]]
    """Tags that they get."""
    remove_tags: NotRequired[list[str]]
    """Tags that they lose."""
    dry_run: NotRequired[bool]
    """Whether testcases are only counted, and none is changed."""


class ListTraceSessionsQuery(TypedDict):
    """Arguments of `list_trace_sessions`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    user_id: NotRequired[str]
    """Only sessions of this user."""


class ListSpansQuery(TypedDict):
    """Arguments of `list_spans`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    trace_id: NotRequired[str]
    """Only spans of this trace."""
    service: NotRequired[str]
    """Only spans of this service."""
    name: NotRequired[str]
    """Only spans with this name."""
    model_name: NotRequired[str]
    """Only spans of this model."""
    root: NotRequired[bool]
    """true: only spans without a parent, usually one in each trace. false: only the others."""
    error: NotRequired[bool]
    """true: only spans that failed. false: only the others."""
    min_duration_ms: NotRequired[int]
    """Minimum duration in milliseconds."""
    max_duration_ms: NotRequired[int]
    """Maximum duration in milliseconds."""
    started_after: NotRequired[str]
    """Only spans that started at this time or later."""
    started_before: NotRequired[str]
    """Only spans that started before this time."""


class ListTracesQuery(TypedDict):
    """Arguments of `list_traces`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    q: NotRequired[str]
    """Search as typed in the search field, for example `latency:>2s model:gpt-5 -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters."""
    sort: NotRequired[str]
    """Order: started, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest first. Default -started. Traces without a value come last. Takes the place of `sort:` in q."""


class GroupProjectTracesQuery(TypedDict):
    """Arguments of `group_project_traces`: its query."""

    by: str
    """What to group by: service, name, model, session, user or error of the trace, or what its record has: a field such as `outputs.answer`, a score such as `score.Accuracy`, tag or testcase."""
    newest: NotRequired[int]
    """Maximum number to read, newest first, 1 to 100000; `partial` says when some are left out."""
    rate_of: NotRequired[str]
    """Metric, by id or name, whose pass rate each group gets."""
    most: NotRequired[int]
    """Maximum number of groups, 1 to 200: the largest."""
    q: NotRequired[str]
    """Search as typed in the search field, for example `latency:>2s model:gpt-5 -error refund`. An unknown filter is a 400 with a suggestion. docs/searching.md lists the filters."""


class GetTraceConversationQuery(TypedDict):
    """Arguments of `get_trace_conversation`: its query."""

    spans: NotRequired[bool]
    """true: also the spans, with what each call used and answered."""


class ListTraceSpansQuery(TypedDict):
    """Arguments of `list_trace_spans`: its query."""

    limit: NotRequired[int]
    """Maximum number of spans, by start. `limit=1` shows whether there are any."""


class ListTraceUsersQuery(TypedDict):
    """Arguments of `list_trace_users`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""


class GetRecordConversationQuery(TypedDict):
    """Arguments of `get_record_conversation`: its query."""

    spans: NotRequired[bool]
    """true: also the spans, with what each call used and answered."""


class ListRecordSpansQuery(TypedDict):
    """Arguments of `list_record_spans`: its query."""

    limit: NotRequired[int]
    """Maximum number of spans, by start. `limit=1` shows whether there are any."""


class UpsertPinnedSetBody(TypedDict):
    """Arguments of `upsert_pinned_set`: its body."""

    labels: NotRequired[Literal["metric", "overrides", "thumbs"]]
    """Source of the labels, as for the calibration. Default `metric`."""
    against: NotRequired[str]
    """Metric by which people scored the same records. Default the human metric of the judge. A judge whose human metric is not known takes this one."""
    metric_config_id: NotRequired[str]
    """Configuration of the reference; default the current one."""
    size: NotRequired[int]
    """Maximum number of records. If more are labelled, a hash of their ids chooses."""
    automatic: NotRequired[bool]
    """Whether the service starts drift trials itself: for each new configuration, and for each model that answers for the first time."""


class CreateTrialFields1(TypedDict):
    """Arguments of `create_trial`: its body."""

    kind: Literal["drift"]
    """Tests whether the judge in use still decides as before."""


class CreateTrialFields2(TypedDict):
    """Arguments of `create_trial`: its body."""

    kind: Literal["succession"]
    """Tests whether another judge decides alike."""
    candidates: list[CreateTrialFields2CandidatesItem]
    """Candidates. A field that a candidate leaves out keeps the value of the metric."""
    margin: NotRequired[float]
    """Largest difference of pass rates that counts as none: among the records that people pass, and among the records that people fail."""
    run_ids: NotRequired[list[str]]
    """Stored runs on which the candidates are tried too, at 100 testcases. Each is compared with the baseline of its last gate if that is listed, else with the first."""


class CreateTrialFields2CandidatesItem(TypedDict):
    """CreateTrialFields2CandidatesItem."""

    evalModelName: NotRequired[str]
    """Model that judges."""
    promptTemplate: NotRequired[str]
    """Prompt for the judge."""
    guidelines: NotRequired[str]
    """How to score."""
    temperature: NotRequired[float]
    """Temperature of the judge."""
    judgeRepeats: NotRequired[int]
    """How often the judge is asked."""


class CreateTrialFields3(TypedDict):
    """Arguments of `create_trial`: its body."""

    kind: Literal["alignment"]
    """Tests whether people agree more often with prompts made from disagreements."""
    rewriter_model_name: NotRequired[str]
    """Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried."""
    num_examples: NotRequired[int]
    """Number of disagreements that one candidate shows as examples."""
    seed: NotRequired[int]
    """Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment."""
    candidates: NotRequired[list[CreateTrialFields2CandidatesItem]]
    """Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too."""
    split: NotRequired[Literal["dev", "test"]]
    """Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way."""
    budget_usd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""


class CreateTrialFields4(TypedDict):
    """Arguments of `create_trial`: its body."""

    kind: Literal["battery"]
    """Tests whether edits that keep the truth change the verdicts of a judge."""
    edits: NotRequired[list[Literal["padding", "order", "author", "authority", "format", "language", "selfPreference"]]]
    """Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike."""
    margin: NotRequired[float]
    """Largest share of verdicts that an edit may change beyond a placebo, to be called clear."""
    budget_usd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""
    metric_config_id: NotRequired[str]
    """Configuration of the metric that is tested, such as a candidate of a succession. Default the current one."""


class CreateTrialFields5(TypedDict):
    """Arguments of `create_trial`: its body."""

    kind: Literal["rescoring"]
    """Scores a run again by one configuration and lists what would change."""
    run_id: str
    """Run that the metric scores, by code or by a model."""
    metric_config_id: NotRequired[str]
    """Configuration of the metric to score with; default the current one."""
    record_ids: NotRequired[list[str]]
    """Records of the run to re-score; default all of them."""
    sample: NotRequired[CreateTrialFields5Sample]
    """Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; the sample is not scored twice."""


class CreateTrialFields5Sample(TypedDict):
    """Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; the sample is not scored twice."""

    size: int
    """Number of records in the sample."""
    seed: NotRequired[int]
    """Seed of the sample. Records are drawn in the order of the SHA-256 of "<seed> <record id>", so the same seed gives the same sample."""


class CreateTrialBody1(TypedDict):
    """CreateTrialBody1."""

    kind: Literal["drift"]
    """Tests whether the judge in use still decides as before."""


class CreateTrialBody2(TypedDict):
    """CreateTrialBody2."""

    kind: Literal["succession"]
    """Tests whether another judge decides alike."""
    candidates: list[CreateTrialFields2CandidatesItem]
    """Candidates. A field that a candidate leaves out keeps the value of the metric."""
    margin: NotRequired[float]
    """Largest difference of pass rates that counts as none: among the records that people pass, and among the records that people fail."""
    runIds: NotRequired[list[str]]
    """Stored runs on which the candidates are tried too, at 100 testcases. Each is compared with the baseline of its last gate if that is listed, else with the first."""


class CreateTrialBody3(TypedDict):
    """CreateTrialBody3."""

    kind: Literal["alignment"]
    """Tests whether people agree more often with prompts made from disagreements."""
    rewriterModelName: NotRequired[str]
    """Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried."""
    numExamples: NotRequired[int]
    """Number of disagreements that one candidate shows as examples."""
    seed: NotRequired[int]
    """Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment."""
    candidates: NotRequired[list[CreateTrialFields2CandidatesItem]]
    """Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too."""
    split: NotRequired[Literal["dev", "test"]]
    """Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way."""
    budgetUsd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""


class CreateTrialBody4(TypedDict):
    """CreateTrialBody4."""

    kind: Literal["battery"]
    """Tests whether edits that keep the truth change the verdicts of a judge."""
    edits: NotRequired[list[Literal["padding", "order", "author", "authority", "format", "language", "selfPreference"]]]
    """Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike."""
    margin: NotRequired[float]
    """Largest share of verdicts that an edit may change beyond a placebo, to be called clear."""
    budgetUsd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""
    metricConfigId: NotRequired[str]
    """Configuration of the metric that is tested, such as a candidate of a succession. Default the current one."""


class CreateTrialBody5(TypedDict):
    """CreateTrialBody5."""

    kind: Literal["rescoring"]
    """Scores a run again by one configuration and lists what would change."""
    runId: str
    """Run that the metric scores, by code or by a model."""
    metricConfigId: NotRequired[str]
    """Configuration of the metric to score with; default the current one."""
    recordIds: NotRequired[list[str]]
    """Records of the run to re-score; default all of them."""
    sample: NotRequired[CreateTrialFields5Sample]
    """Re-score only this many records first, and estimate the rest. `extend` goes on with the other records; the sample is not scored twice."""


class EstimateTrialFields1(TypedDict):
    """Arguments of `estimate_trial`: its body."""

    kind: Literal["battery"]
    """Tests whether edits that keep the truth change the verdicts of a judge."""
    edits: NotRequired[list[Literal["padding", "order", "author", "authority", "format", "language", "selfPreference"]]]
    """Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike."""
    margin: NotRequired[float]
    """Largest share of verdicts that an edit may change beyond a placebo, to be called clear."""
    budget_usd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""
    metric_config_id: NotRequired[str]
    """Configuration of the metric that is tested, such as a candidate of a succession. Default the current one."""


class EstimateTrialFields2(TypedDict):
    """Arguments of `estimate_trial`: its body."""

    kind: Literal["alignment"]
    """Tests whether people agree more often with prompts made from disagreements."""
    rewriter_model_name: NotRequired[str]
    """Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried."""
    num_examples: NotRequired[int]
    """Number of disagreements that one candidate shows as examples."""
    seed: NotRequired[int]
    """Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment."""
    candidates: NotRequired[list[CreateTrialFields2CandidatesItem]]
    """Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too."""
    split: NotRequired[Literal["dev", "test"]]
    """Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way."""
    budget_usd: NotRequired[float]
    """Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded."""


class GetTrialQuery(TypedDict):
    """Arguments of `get_trial`: its query."""

    level: NotRequired[float]
    """Confidence level of every interval."""


class ListTrialChangesQuery(TypedDict):
    """Arguments of `list_trial_changes`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    change: NotRequired[Literal["passToFail", "failToPass", "valueOnly", "same", "newlyScored", "unscored", "failed", "givenSince", "pending"]]
    """Only records that change in this way."""
    disagreements: NotRequired[bool]
    """Only records on which people disagree with the saved or with the edited prompt. Not for rescorings."""
    metric_config_id: NotRequired[str]
    """Candidate of an alignment; default its first edited prompt."""


class DecideTrialFields1(TypedDict):
    """Arguments of `decide_trial`: its body."""

    decision: Literal["adopted"]
    """Makes a candidate the configuration of the metric: trends and comparisons are anchored across the switch. Or makes the proposals of a rescoring the scores of its run: the replaced ones become history; scores of people and clients stay."""
    metric_config_id: NotRequired[str]
    """Configuration of the candidate. A rescoring has only one and needs none."""
    even_if_not_shown: NotRequired[bool]
    """Whether to adopt a candidate that the trial does not show to be a successor."""


class DecideTrialFields2(TypedDict):
    """Arguments of `decide_trial`: its body."""

    decision: Literal["discarded"]
    """Ends the trial without a change of the metric or of a score. Its pending verdicts or proposals are dropped."""


class DecideTrialBody1(TypedDict):
    """DecideTrialBody1."""

    decision: Literal["adopted"]
    """Makes a candidate the configuration of the metric: trends and comparisons are anchored across the switch. Or makes the proposals of a rescoring the scores of its run: the replaced ones become history; scores of people and clients stay."""
    metricConfigId: NotRequired[str]
    """Configuration of the candidate. A rescoring has only one and needs none."""
    evenIfNotShown: NotRequired[bool]
    """Whether to adopt a candidate that the trial does not show to be a successor."""


class DecideTrialBody2(TypedDict):
    """DecideTrialBody2."""

    decision: Literal["discarded"]
    """Ends the trial without a change of the metric or of a score. Its pending verdicts or proposals are dropped."""


class ListTrialsQuery(TypedDict):
    """Arguments of `list_trials`: its query."""

    limit: NotRequired[int]
    """Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB."""
    cursor: NotRequired[str]
    """nextCursor of the previous page; absent or empty for the first page."""
    metric_id: NotRequired[str]
    """Only trials of this metric. Either this or runId is required."""
    run_id: NotRequired[str]
    """Only rescorings of this run."""
    kinds: NotRequired[list[Literal["drift", "succession", "alignment", "battery", "rescoring"]]]
    """Only trials of these kinds."""
    level: NotRequired[float]
    """Confidence level of every interval."""


class CreateViewBody(TypedDict):
    """Arguments of `create_view`: its body."""

    name: str
    """Name of the view."""
    shared: bool
    """Whether all members see it, or only its author."""
    search: str
    """The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records."""
    display: dict[str, Any]
    """Display settings: columns, their order and width, row height."""


class UpdateViewBody(TypedDict):
    """Arguments of `update_view`: its body."""

    name: NotRequired[str]
    """Name of the view."""
    shared: NotRequired[bool]
    """Whether all members see it, or only its author."""
    search: NotRequired[str]
    """The search as typed, for example `result:fail tag:"look again" refund`; empty finds all records."""
    display: NotRequired[dict[str, Any]]
    """Display settings: columns, their order and width, row height."""


class Operations(Http):
    """Every operation of the API."""

    def list_keys(self, **query: Unpack[ListKeysQuery]) -> Pages[ApiKey]:
        """List your API keys, oldest first. An admin gets the keys of all members."""
        return self._list("GET", "/api/v2/keys", query=query)

    def create_key(self, **fields: Unpack[CreateKeyBody]) -> ApiKeyCreated:
        """Create an API key for yourself. Only this answer shows the key."""
        return self._ask("POST", "/api/v2/keys", fields=fields, key=False)

    def delete_key(self, key_id: str) -> Success:
        """Delete an API key at once: your own or, as an admin, any key."""
        return self._ask("DELETE", f"/api/v2/keys/{quote(key_id)}")

    def update_alert(self, alert_id: str, **fields: Unpack[UpdateAlertBody]) -> Alert:
        """Change, pause or resume an alert. Admins of the project only."""
        return self._ask("PATCH", f"/api/v2/alerts/{quote(alert_id)}", fields=fields)

    def delete_alert(self, alert_id: str) -> Success:
        """Delete an alert with its log. Admins of the project only."""
        return self._ask("DELETE", f"/api/v2/alerts/{quote(alert_id)}")

    def ask_address_owner(self, alert_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AskAddressOwnerBody]) -> Alert:
        """Ask the owner of an address again if they want the mails. Admins of the project only. At most 3 mails a day to one address, and 50 of the organization."""
        return self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/confirmations", fields=fields, key=idempotency_key)

    def list_alert_deliveries(self, alert_id: str, **query: Unpack[ListAlertDeliveriesQuery]) -> Pages[AlertDelivery]:
        """List the deliveries of an alert, newest first. Finished deliveries are kept for 30 days."""
        return self._list("GET", f"/api/v2/alerts/{quote(alert_id)}/deliveries", query=query)

    def retry_alert_delivery(self, alert_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> Success:
        """Send a finished delivery again. Admins of the project only."""
        return self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/deliveries/{quote(delivery_id)}/retry", key=idempotency_key)

    def test_alert(self, alert_id: str) -> AlertDelivery:
        """Send a test message now and return how it went. Admins of the project only."""
        return self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/test", key=False)

    def get_address_question(self, **fields: Unpack[GetAddressQuestionBody]) -> AddressQuestion:
        """Get what a link in a mail is for. It is a POST, so that no log contains the token."""
        return self._ask("POST", "/api/v2/mail-addresses/find", fields=fields, key=False)

    def redeem_address_link(self, **fields: Unpack[RedeemAddressLinkBody]) -> Success:
        """Confirm an address, or stop the mails to it. The link says which."""
        return self._ask("POST", "/api/v2/mail-addresses/redeem", fields=fields, key=False)

    def list_alarms(self, project_id: str, **query: Unpack[ListAlarmsQuery]) -> ListAlarmsAnswer:
        """List the alarms that limits would have raised in the last 30 days. Holds the traffic and the monitors of the last 30 days against the limits of an alert, stored or not. Nothing is sent."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/alarms", query=query)

    def list_alerts(self, project_id: str) -> ListAlertsAnswer:
        """List the alerts of a project, oldest first. There are at most 50."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/alerts")

    def create_alert(self, project_id: str, **fields: Unpack[CreateAlertBody]) -> AlertCreated:
        """Send events of a project to a webhook, to Slack or by e-mail. Admins of the project only. Only this answer shows the signing key."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/alerts", fields=fields, key=False)

    def measure_agreement(self, metric_id: str, **query: Unpack[MeasureAgreementQuery]) -> ReviewerAgreement:
        """Measure how far people who reviewed the same records agree."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/agreement", query=query)

    def calibrate_metric(self, metric_id: str, **query: Unpack[CalibrateMetricQuery]) -> JudgeCalibration:
        """Compare a judge with people. Its errors, the best passing threshold, and the pass rate of a run corrected for the errors."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/calibration", query=query)

    def list_judge_disagreements(self, metric_id: str, **query: Unpack[ListJudgeDisagreementsQuery]) -> Pages[CalibrationDisagreement]:
        """List the records on which a judge and people disagree, oldest first."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/calibration/disagreements", query=query)

    def get_judge_passport(self, metric_id: str, **query: Unpack[GetJudgePassportQuery]) -> JudgePassport:
        """Get the passport of a judge: how far it can be trusted, signed. Its grade, error rates, labels by maker, drift, bias battery, the end of its model, and when the passport expires. Each answer is signed when it is asked for and says how things are then."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/passport", query=query)

    def get_passport_key(self) -> PassportKey:
        """Get the public key that checks passports of judges."""
        return self._ask("GET", "/api/v2/passport-key")

    def get_project_news(self, project_id: str, **query: Unpack[GetProjectNewsQuery]) -> News:
        """Get what happened in a project lately. New runs with their verdict against the run before, changes of traffic that are shown, alerts, failures in monitors and labels of other members."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/news", query=query)

    def plan_run(self, project_id: str, **query: Unpack[PlanRunQuery]) -> Plan:
        """Plan a comparison from earlier runs. How many testcases it needs, or how small a difference it can detect."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/plan", query=query)

    def list_report_links(self, project_id: str) -> ReportLinks:
        """List the links of a project that show a report without an account."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/report-links")

    def create_report_link(self, project_id: str, **fields: Unpack[CreateReportLinkBody]) -> ReportLinkCreated:
        """Make a link that shows the comparison of runs without an account. Only this answer shows it. An admin allows such links in the settings of the organization."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/report-links", fields=fields, key=False)

    def get_series(self, project_id: str, **query: Unpack[GetSeriesQuery]) -> Series:
        """Get the measures and scores of a project's records over time. Volume, errors, latency, tokens, cost and scores, each with its uncertainty."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/series", query=query)

    def list_trends(self, project_id: str, **query: Unpack[ListTrendsQuery]) -> Trends:
        """List each metric of a project over its latest runs, each point with its uncertainty."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/trends", query=query)

    def get_shared_report(self, **fields: Unpack[GetSharedReportBody]) -> SharedReport:
        """Get the report that a link shows. It is a POST, so that no log contains the token. Every link that shows nothing has the same answer, 401."""
        return self._ask("POST", "/api/v2/report-links/read", fields=fields, key=False)

    def delete_report_link(self, report_link_id: str) -> Success:
        """Revoke a link to a report at once."""
        return self._ask("DELETE", f"/api/v2/report-links/{quote(report_link_id)}")

    def compare_runs(self, **query: Unpack[CompareRunsQuery]) -> RunComparison:
        """Compare runs on the testcases that they share: differences, intervals and verdicts."""
        return self._ask("GET", "/api/v2/runs/compare", query=query)

    def list_changed_testcases(self, **query: Unpack[ListChangedTestcasesQuery]) -> Pages[ChangedTestcase]:
        """List the testcases whose scores changed between two runs."""
        return self._list("GET", "/api/v2/runs/compare/testcases", query=query)

    def group_failures(self, run_id: str, **fields: Unpack[GroupFailuresBody]) -> FailureClusters:
        """Group the failures of a run by what they have in common. A model names the groups if there is one. Nothing is written."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/failure-clusters", fields=fields, key=False)

    def create_look(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateLookBody]) -> LedgerLook:
        """Register the look of a gate before it tests, or its outcome after. Answers which look of the period it is, and the part of `alpha` that it has: look t has t^-1.5 of it, divided by 2.612. All looks together err with probability `alpha` at most, however they depend on each other."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/looks", fields=fields, key=idempotency_key)

    def summarize_run(self, run_id: str, **query: Unpack[SummarizeRunQuery]) -> RunSummary:
        """Summarize a run metric by metric, each number with its uncertainty."""
        return self._ask("GET", f"/api/v2/runs/{quote(run_id)}/summary", query=query)

    def examine_testset(self, testset_id: str, **query: Unpack[ExamineTestsetQuery]) -> TestsetExamination:
        """Examine the testcases of a testset by stored runs. Finds wrong keys, disagreements with people, leaks into prompts, twins, flaky testcases, and testcases that tell no version apart, each with its evidence. Repeats a comparison without the suspects."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/examination", query=query)

    def list_looks(self, testset_id: str, **query: Unpack[ListLooksQuery]) -> Pages[Look]:
        """List the verdicts about a testset that left the service, newest first. Comparisons, gates, reports, answers to agents and code, and summaries of new versions, each with who asked and when."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/looks", query=query)

    def get_wear(self, testset_id: str, **query: Unpack[GetWearQuery]) -> Wear:
        """Count the looks at a testset, and compare fresh testcases with old ones."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/wear", query=query)

    def list_annotations(self, record_id: str) -> ListAnnotationsAnswer:
        """List the annotations of a record, oldest first."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/annotations")

    def create_annotation(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateAnnotationBody]) -> Annotation:
        """Rate a record, one of its spans or a passage of its text. A comment is optional."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/annotations", fields=fields, key=idempotency_key)

    def update_annotation(self, record_id: str, annotation_id: str, **fields: Unpack[UpdateAnnotationBody]) -> Annotation:
        """Change an annotation. Only its author or an admin may do this."""
        return self._ask("PATCH", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}", fields=fields)

    def delete_annotation(self, record_id: str, annotation_id: str) -> Success:
        """Delete an annotation. Only its author or an admin may do this."""
        return self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}")

    def create_reply(self, record_id: str, annotation_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateReplyBody]) -> Reply:
        """Reply to an annotation."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies", fields=fields, key=idempotency_key)

    def update_reply(self, record_id: str, annotation_id: str, reply_id: str, **fields: Unpack[UpdateReplyBody]) -> Reply:
        """Change a reply. Only its author or an admin may do this."""
        return self._ask("PATCH", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies/{quote(reply_id)}", fields=fields)

    def delete_reply(self, record_id: str, annotation_id: str, reply_id: str) -> Success:
        """Delete a reply. Only its author or an admin may do this."""
        return self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies/{quote(reply_id)}")

    def resolve_annotation(self, record_id: str, annotation_id: str, **fields: Unpack[ResolveAnnotationBody]) -> Thread:
        """Resolve the thread of an annotation, or open it again."""
        return self._ask("PUT", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/resolution", fields=fields)

    def list_threads(self, record_id: str, **query: Unpack[ListThreadsQuery]) -> Pages[Thread]:
        """List the threads of a record, oldest first. A thread is an annotation that has replies or is resolved."""
        return self._list("GET", f"/api/v2/records/{quote(record_id)}/threads", query=query)

    def list_record_assignees(self, record_id: str) -> ListRecordAssigneesAnswer:
        """List the assignments of a record, oldest first."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/assignees")

    def assign_record_user(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AssignRecordUserBody]) -> RecordAssignment:
        """Assign a record to a user. An existing assignment is returned unchanged."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/assignees", fields=fields, key=idempotency_key)

    def unassign_record_user(self, record_id: str, assignee_user_id: str) -> UnassignRecordUserAnswer:
        """Remove the assignment of a record to a user. It is not an error if there is none."""
        return self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/assignees/{quote(assignee_user_id)}")

    def initiate_attachment(self, *, idempotency_key: str | None = None, **fields: Unpack[InitiateAttachmentBody]) -> InitiateAttachmentAnswer:
        """Declare a file of a session and get a link for its upload. The file belongs to `projectId`. Without it, to the only project in which the session has a record or a trace and you may write, or to the default project of the key if that has one. Otherwise it has no project until you store a record or a trace of the session: until then only you and admins see it."""
        return self._ask("POST", "/api/v2/attachments", fields=fields, key=idempotency_key)

    def list_orphan_attachments(self, **query: Unpack[ListOrphanAttachmentsQuery]) -> Pages[OrphanAttachment]:
        """List the files that no record and no trace uses, newest first. A file whose record or trace has not been stored yet is among them: look at `createdAt` before you delete it. Admins only."""
        return self._list("GET", "/api/v2/attachments/orphans", query=query)

    def get_attachment(self, attachment_id: str) -> AttachmentWithDownload:
        """Get an attachment with a link to its bytes."""
        return self._ask("GET", f"/api/v2/attachments/{quote(attachment_id)}")

    def delete_attachment(self, attachment_id: str) -> Success:
        """Delete an attachment and its bytes."""
        return self._ask("DELETE", f"/api/v2/attachments/{quote(attachment_id)}")

    def commit_attachment(self, attachment_id: str, *, idempotency_key: str | None = None) -> Attachment:
        """Confirm an upload. Answers 400 if the bytes have not arrived."""
        return self._ask("POST", f"/api/v2/attachments/{quote(attachment_id)}/commit", key=idempotency_key)

    def list_session_attachments(self, session_id: str, **query: Unpack[ListSessionAttachmentsQuery]) -> Pages[Attachment]:
        """List the attachments of a session, newest first."""
        return self._list("GET", f"/api/v2/sessions/{quote(session_id)}/attachments", query=query)

    def list_audit_events(self, **query: Unpack[ListAuditEventsQuery]) -> Pages[AuditEvent]:
        """List the audit log: every write and sign-in, newest first. Admins only."""
        return self._list("GET", "/api/v2/audit-events", query=query)

    def verify_audit_events(self, **query: Unpack[VerifyAuditEventsQuery]) -> AuditVerification:
        """Check that no entry of the audit log was changed or removed. Admins only."""
        return self._ask("GET", "/api/v2/audit-events/verify", query=query)

    def list_decisions(self, project_id: str, **query: Unpack[ListDecisionsQuery]) -> Pages[ListedDecision]:
        """List the registered decisions of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/decisions", query=query)

    def create_decision(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateDecisionBody]) -> RegisteredDecision:
        """Register a decision before its run. The question, the rules, and the testset, metrics and baseline as they are. The audit log holds it, so that nothing changes it later."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions", fields=fields, key=idempotency_key)

    def get_decision(self, project_id: str, decision_id: str) -> RegisteredDecision:
        """Get a registered decision."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}")

    def export_decision(self, project_id: str, decision_id: str, **fields: Unpack[ExportDecisionBody]) -> SignedDecision:
        """Get a decision about a run as one signed file. The registration, the rules, the data of the runs, judges, waivers, deviations and all numbers, as an in-toto statement. `dokima verify` checks it without the service. Up to 50,000 records."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/file", fields=fields, key=False)

    def read_decision(self, project_id: str, decision_id: str, **query: Unpack[ReadDecisionQuery]) -> DecisionReading:
        """Hold a run against a registered decision: deviations in words, and waivers."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/reading", query=query)

    def waive_decision(self, project_id: str, decision_id: str, *, idempotency_key: str | None = None, **fields: Unpack[WaiveDecisionBody]) -> Waiver:
        """Record who ships a run in spite of the verdict, and why."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/waivers", fields=fields, key=idempotency_key)

    def list_executions(self, run_id: str, **query: Unpack[ListExecutionsQuery]) -> Pages[Execution]:
        """List the executions of a run, including failed ones."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/executions", query=query)

    def get_me(self) -> Me:
        """Get the organization, the member and the key of this request."""
        return self._ask("GET", "/api/v2/me")

    def list_members(self, **query: Unpack[ListMembersQuery]) -> Pages[Member]:
        """List the members of the organization, oldest first."""
        return self._list("GET", "/api/v2/members", query=query)

    def create_member(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateMemberBody]) -> Member:
        """Add a member. Admins only."""
        return self._ask("POST", "/api/v2/members", fields=fields, key=idempotency_key)

    def get_member(self, user_id: str) -> Member:
        """Get a member."""
        return self._ask("GET", f"/api/v2/members/{quote(user_id)}")

    def update_member(self, user_id: str, **fields: Unpack[UpdateMemberBody]) -> Member:
        """Change the name or role of a member. Admins only. The role of the last admin cannot be changed."""
        return self._ask("PATCH", f"/api/v2/members/{quote(user_id)}", fields=fields)

    def delete_member(self, user_id: str) -> Success:
        """Remove a member and their keys. Admins only. Their records, scores and comments stay."""
        return self._ask("DELETE", f"/api/v2/members/{quote(user_id)}")

    def update_my_organization(self, **fields: Unpack[UpdateMyOrganizationBody]) -> Organization:
        """Change the name or a setting of the organization of this request. Admins only. Existing metrics keep their model, unless they wait for a default."""
        return self._ask("PATCH", "/api/v2/organization", fields=fields)

    def list_scim_tokens(self, **query: Unpack[ListScimTokensQuery]) -> Pages[ScimToken]:
        """List the tokens with which a directory provisions the organization, oldest first."""
        return self._list("GET", "/api/v2/scim-tokens", query=query)

    def create_scim_token(self, **fields: Unpack[CreateScimTokenBody]) -> ScimTokenCreated:
        """Create a token for SCIM. Only this answer shows it. Admins only."""
        return self._ask("POST", "/api/v2/scim-tokens", fields=fields, key=False)

    def delete_scim_token(self, token_id: str) -> Success:
        """Delete a token for SCIM at once. The members stay. Admins only."""
        return self._ask("DELETE", f"/api/v2/scim-tokens/{quote(token_id)}")

    def get_metric_group(self, metric_group_id: str) -> MetricGroup:
        """Get a metric group."""
        return self._ask("GET", f"/api/v2/metric-groups/{quote(metric_group_id)}")

    def update_metric_group(self, metric_group_id: str, **fields: Unpack[UpdateMetricGroupBody]) -> MetricGroup:
        """Change a metric group. The given metrics replace the ones it has."""
        return self._ask("PATCH", f"/api/v2/metric-groups/{quote(metric_group_id)}", fields=fields)

    def delete_metric_group(self, metric_group_id: str) -> Success:
        """Delete a metric group. Its metrics stay."""
        return self._ask("DELETE", f"/api/v2/metric-groups/{quote(metric_group_id)}")

    def list_metric_groups(self, project_id: str, **query: Unpack[ListMetricGroupsQuery]) -> Pages[MetricGroup]:
        """List the metric groups of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/metric-groups", query=query)

    def create_metric_group(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricGroupBody]) -> MetricGroup:
        """Create a metric group."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metric-groups", fields=fields, key=idempotency_key)

    def list_metric_templates(self) -> ListMetricTemplatesAnswer:
        """List the metric templates, each with a record that passes and one that fails. Tests run the code of each template on both records. For prompts, tests check what a judge is shown and how its verdict is read, but ask no real model: try yours with `POST /projects/{projectId}/metrics/preview`."""
        return self._ask("GET", "/api/v2/metric-templates")

    def get_metric(self, metric_id: str) -> Metric:
        """Get a metric."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}")

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields1]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields2]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields3]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields4]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields5]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields6]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields7]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields8]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields9]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields10]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields11]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields12]) -> Metric: ...

    @overload
    def update_metric(self, metric_id: str, body: UpdateMetricBody1 | UpdateMetricBody2 | UpdateMetricBody3 | UpdateMetricBody4 | UpdateMetricBody5 | UpdateMetricBody6 | UpdateMetricBody7 | UpdateMetricBody8 | UpdateMetricBody9 | UpdateMetricBody10 | UpdateMetricBody11 | UpdateMetricBody12) -> Metric: ...

    def update_metric(self, metric_id: str, body: Any = None, **fields: Any) -> Metric:
        """Change a metric. A change that affects scoring makes a new configuration; existing scores keep theirs."""
        return self._ask("PATCH", f"/api/v2/metrics/{quote(metric_id)}", fields=fields if body is None else None, body=body)

    def delete_metric(self, metric_id: str) -> Success:
        """Delete a metric. Its configurations and all their scores stay."""
        return self._ask("DELETE", f"/api/v2/metrics/{quote(metric_id)}")

    def get_metric_settings(self, metric_id: str) -> MetricSettings:
        """Get the settings of a metric: votes and people of a judge, reviewers."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/settings")

    def update_metric_settings(self, metric_id: str, **fields: Unpack[UpdateMetricSettingsBody]) -> MetricSettings:
        """Change the settings of a metric. Changes the settings that the body names. The votes of a judge are for AI metrics, and a change makes a new configuration; `peopleMetricId` is for metrics that a model or code scores; reviewers are for human metrics."""
        return self._ask("PATCH", f"/api/v2/metrics/{quote(metric_id)}/settings", fields=fields)

    def list_metric_versions(self, metric_id: str, **query: Unpack[ListMetricVersionsQuery]) -> Pages[MetricVersion]:
        """List the configurations of a metric, newest first. Drafts that only trials have tried, such as edited prompts that were measured, are in the list of trials."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/versions", query=query)

    def draft_criteria(self, project_id: str, **fields: Unpack[DraftCriteriaBody]) -> CriteriaDrafts:
        """Let a model draft criteria of a metric for review. From guidelines, the failures of a run, or both. Repetitions are marked. `dryRun` says the cost and asks no model. Nothing is written."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/criteria-drafts", fields=fields, key=False)

    def list_metrics(self, project_id: str, **query: Unpack[ListMetricsQuery]) -> Pages[Metric]:
        """List the metrics of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/metrics", query=query)

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields1]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields2]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields3]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields4]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields5]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields6]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields7]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields8]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields9]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields10]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields11]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields12]) -> Metric: ...

    @overload
    def create_metric(self, project_id: str, body: CreateMetricBody1 | CreateMetricBody2 | CreateMetricBody3 | CreateMetricBody4 | CreateMetricBody5 | CreateMetricBody6 | CreateMetricBody7 | CreateMetricBody8 | CreateMetricBody9 | CreateMetricBody10 | CreateMetricBody11 | CreateMetricBody12, *, idempotency_key: str | None = None) -> Metric: ...

    def create_metric(self, project_id: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Metric:
        """Create a metric. evalType and outputType choose one of nine variants, or with `category` one of three that give a label."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metrics", fields=fields if body is None else None, body=body, key=idempotency_key)

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields1]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields2]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields3]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields4]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields5]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields6]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields7]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields8]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields9]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields10]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields11]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields12]) -> PreviewMetricAnswer: ...

    @overload
    def preview_metric(self, project_id: str, body: PreviewMetricBody1 | PreviewMetricBody2 | PreviewMetricBody3 | PreviewMetricBody4 | PreviewMetricBody5 | PreviewMetricBody6 | PreviewMetricBody7 | PreviewMetricBody8 | PreviewMetricBody9 | PreviewMetricBody10 | PreviewMetricBody11 | PreviewMetricBody12) -> PreviewMetricAnswer: ...

    def preview_metric(self, project_id: str, body: Any = None, **fields: Any) -> PreviewMetricAnswer:
        """Preview a metric that is not saved. Scores a record, or the one in the body, and returns prompt, verdict, time and cost. Nothing is written."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metrics/preview", fields=fields if body is None else None, body=body)

    def get_monitor(self, monitor_id: str) -> Monitor:
        """Get a monitor with its results."""
        return self._ask("GET", f"/api/v2/monitors/{quote(monitor_id)}")

    def update_monitor(self, monitor_id: str, **fields: Unpack[UpdateMonitorBody]) -> Monitor:
        """Change, pause or resume a monitor. The change applies to traces that arrive afterwards."""
        return self._ask("PATCH", f"/api/v2/monitors/{quote(monitor_id)}", fields=fields)

    def delete_monitor(self, monitor_id: str) -> Success:
        """Delete a monitor and its pending scores. Scores that were given stay."""
        return self._ask("DELETE", f"/api/v2/monitors/{quote(monitor_id)}")

    def list_monitors(self, project_id: str, **query: Unpack[ListMonitorsQuery]) -> Pages[Monitor]:
        """List the monitors of a project with their results, oldest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/monitors", query=query)

    def create_monitor(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMonitorBody]) -> Monitor:
        """Create a monitor, which scores a share of the traces that arrive from now on."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/monitors", fields=fields, key=idempotency_key)

    def upsert_monitor(self, project_id: str, **fields: Unpack[UpsertMonitorBody]) -> Monitor:
        """Create or change the monitor of a name, as wrapAISDK of the public TypeScript client does."""
        return self._ask("PUT", f"/api/v2/projects/{quote(project_id)}/monitors", fields=fields)

    def list_organizations(self, **query: Unpack[ListOrganizationsQuery]) -> Pages[Organization]:
        """List the organizations of this service, oldest first. For the operator."""
        return self._list("GET", "/api/v2/organizations", query=query)

    def create_organization(self, **fields: Unpack[CreateOrganizationBody]) -> OrganizationCreated:
        """Create an organization and its first admin. The admin chooses a password with the returned link. For the operator."""
        return self._ask("POST", "/api/v2/organizations", fields=fields, key=False)

    def update_organization(self, organization_id: str, **fields: Unpack[UpdateOrganizationBody]) -> Organization:
        """Change the name of an organization. For the operator."""
        return self._ask("PATCH", f"/api/v2/organizations/{quote(organization_id)}", fields=fields)

    def create_operator_link(self, organization_id: str, **fields: Unpack[CreateOperatorLinkBody]) -> SignInLink:
        """Create a sign-in link for the member with this e-mail address. It works also where single sign-on is required. For the operator."""
        return self._ask("POST", f"/api/v2/organizations/{quote(organization_id)}/sign-in-links", fields=fields, key=False)

    def get_preference_study(self, preference_study_id: str) -> PreferenceStudy:
        """Get a preference study and its progress."""
        return self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}")

    def delete_preference_study(self, preference_study_id: str) -> Success:
        """Delete a preference study with its pairs and votes. Its runs stay."""
        return self._ask("DELETE", f"/api/v2/preference-studies/{quote(preference_study_id)}")

    def list_preference_comparisons(self, preference_study_id: str, **query: Unpack[ListPreferenceComparisonsQuery]) -> Pages[PreferenceComparison]:
        """List the pairs of a preference study with their votes. A filter keeps only the pairs on which votes differ."""
        return self._list("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/comparisons", query=query)

    def update_preference_judge(self, preference_study_id: str, **fields: Unpack[UpdatePreferenceJudgeBody]) -> PreferenceStudy:
        """Let a model compare the pairs without its verdict, within a budget. A different model than before starts over."""
        return self._ask("PUT", f"/api/v2/preference-studies/{quote(preference_study_id)}/judge", fields=fields)

    def get_next_preference(self, preference_study_id: str) -> NextPreference:
        """Get the next pair to compare. It does not name the systems, and its sides are drawn by chance."""
        return self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/next")

    def submit_preference(self, preference_study_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitPreferenceBody]) -> Success:
        """Say which output of a pair is better. A second answer replaces the first."""
        return self._ask("POST", f"/api/v2/preference-studies/{quote(preference_study_id)}/preferences", fields=fields, key=idempotency_key)

    def undo_preference(self, preference_study_id: str, *, idempotency_key: str | None = None) -> NextPreference:
        """Take back your last preference and get its pair again. The answer is null if you have none. A second call takes back the one before."""
        return self._ask("POST", f"/api/v2/preference-studies/{quote(preference_study_id)}/preferences/undo", key=idempotency_key)

    def get_preference_result(self, preference_study_id: str, **query: Unpack[GetPreferenceResultQuery]) -> PreferenceResult:
        """Rank the runs of a preference study, with intervals, by people and by the model."""
        return self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/result", query=query)

    def list_preference_studies(self, project_id: str, **query: Unpack[ListPreferenceStudiesQuery]) -> Pages[PreferenceStudy]:
        """List the preference studies of a project, newest first. There are at most 200."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/preference-studies", query=query)

    def create_preference_study(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreatePreferenceStudyBody]) -> PreferenceStudy:
        """Compare the outputs of runs on the same testcases, two at a time. People compare without the names of the systems; a model sees each pair in both orders."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/preference-studies", fields=fields, key=idempotency_key)

    def estimate_preference_study(self, project_id: str, **fields: Unpack[EstimatePreferenceStudyBody]) -> PreferenceEstimate:
        """Estimate the pairs of a preference study and the cost of its model. Nothing is written."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/preference-studies/estimate", fields=fields, key=False)

    def list_projects(self, **query: Unpack[ListProjectsQuery]) -> Pages[Project]:
        """List the projects, oldest first."""
        return self._list("GET", "/api/v2/projects", query=query)

    def create_project(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateProjectBody]) -> Project:
        """Create a project."""
        return self._ask("POST", "/api/v2/projects", fields=fields, key=idempotency_key)

    def get_project(self, project_id: str) -> Project:
        """Get a project."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}")

    def update_project(self, project_id: str, **fields: Unpack[UpdateProjectBody]) -> Project:
        """Change the name or the description of a project."""
        return self._ask("PATCH", f"/api/v2/projects/{quote(project_id)}", fields=fields)

    def delete_project(self, project_id: str) -> Success:
        """Delete a project and everything in it. This cannot be undone."""
        return self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}")

    def get_project_access(self, project_id: str) -> ProjectAccess:
        """Get who may do what in a project, yourself included."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/access")

    def ask_project(self, project_id: str, **fields: Unpack[AskProjectBody]) -> AskProjectAnswer:
        """Let a model answer a question about a project. The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on. With `Accept: text/event-stream`, calls of tools and the words of the answer come as they are made."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/ask", fields=fields, key=False)

    def list_creators(self, project_id: str, **query: Unpack[ListCreatorsQuery]) -> Pages[Creator]:
        """List who created the testsets, the metrics or the systems of a project. The oldest resource first, without those that the service created."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/creators", query=query)

    def get_project_import(self, project_id: str) -> ProjectImport:
        """Get the status of the import of a project; 404 for a project that was not imported."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/import")

    def preview_masking(self, project_id: str, **fields: Unpack[PreviewMaskingBody]) -> MaskingPreview:
        """Show what masking does to an object. Nothing is stored."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/masking/preview", fields=fields, key=False)

    def upsert_project_member(self, project_id: str, user_id: str, **fields: Unpack[UpsertProjectMemberBody]) -> Success:
        """Give a member a role in a project. Admins of the project only."""
        return self._ask("PUT", f"/api/v2/projects/{quote(project_id)}/members/{quote(user_id)}", fields=fields)

    def delete_project_member(self, project_id: str, user_id: str) -> Success:
        """Remove the role that a project gives a member. Admins of the project only."""
        return self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}/members/{quote(user_id)}")

    def preview_retention(self, project_id: str, **query: Unpack[PreviewRetentionQuery]) -> RetentionPreview:
        """Show what the next purge of a project would delete."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/retention/preview", query=query)

    def get_search_index(self, project_id: str) -> SearchIndex:
        """Get how far a project's search index is."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/search-index")

    def get_project_settings(self, project_id: str) -> ProjectSettings:
        """Get who sees a project, how long it keeps data, what it masks, and whether it is indexed."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/settings")

    def update_project_settings(self, project_id: str, **fields: Unpack[UpdateProjectSettingsBody]) -> ProjectSettings:
        """Change the settings of a project. Admins of the project only. Changes the settings that the body names; masking is replaced whole, and holds for data that arrives from now on."""
        return self._ask("PATCH", f"/api/v2/projects/{quote(project_id)}/settings", fields=fields)

    def list_judge_models(self) -> JudgeModels:
        """List the models that can judge, by the lists of the providers, and the default model."""
        return self._ask("GET", "/api/v2/judge-models")

    def refresh_judge_models(self) -> JudgeModels:
        """Read the model lists of all providers now. Admins only."""
        return self._ask("POST", "/api/v2/judge-models/refresh", key=False)

    def get_prices(self) -> PriceTable:
        """Read the price table of the server, with its sources and their dates."""
        return self._ask("GET", "/api/v2/prices")

    def list_model_endings(self, project_id: str, **query: Unpack[ListModelEndingsQuery]) -> Pages[ListModelEndingsItem]:
        """List the models that judge in a project and end soon, the first to end first. Models that end within 60 days or have ended, as their providers announced."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/model-endings", query=query)

    def list_providers(self, **query: Unpack[ListProvidersQuery]) -> Pages[Provider]:
        """List the organization's providers of models, oldest first."""
        return self._list("GET", "/api/v2/providers", query=query)

    def create_provider(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateProviderBody]) -> Provider:
        """Add a provider of models. Admins only."""
        return self._ask("POST", "/api/v2/providers", fields=fields, key=idempotency_key)

    def update_provider(self, provider_id: str, **fields: Unpack[UpdateProviderBody]) -> Provider:
        """Change a provider. A new base URL requires the secrets again. Admins only."""
        return self._ask("PATCH", f"/api/v2/providers/{quote(provider_id)}", fields=fields)

    def delete_provider(self, provider_id: str) -> Success:
        """Delete a provider with its key. Scores that need it fail with that reason. Admins only."""
        return self._ask("DELETE", f"/api/v2/providers/{quote(provider_id)}")

    def test_provider(self, provider_id: str, **fields: Unpack[TestProviderBody]) -> TestProviderAnswer:
        """Test a provider: one of its models judges a small record. Admins only."""
        return self._ask("POST", f"/api/v2/providers/{quote(provider_id)}/test", fields=fields, key=False)

    def list_project_records(self, project_id: str, **query: Unpack[ListProjectRecordsQuery]) -> Pages[RecordDetail]:
        """List the records of all runs of a project, newest first. Filters narrow the list."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/records", query=query)

    def list_record_fields(self, project_id: str) -> RecordFields:
        """List the fields that records of a project have."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/fields")

    def group_project_records(self, project_id: str, **query: Unpack[GroupProjectRecordsQuery]) -> ValueGroups:
        """Count the records of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its records."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/groups", query=query)

    def get_record_histogram(self, project_id: str, **query: Unpack[GetRecordHistogramQuery]) -> RecordHistogram:
        """Count the records of a project over time. The filters are those of the list."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/histogram", query=query)

    def get_record(self, record_id: str) -> RecordDetail:
        """Get a record with the state of each of its scores."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}")

    def delete_record(self, record_id: str) -> Success:
        """Delete a record and its scores, tags and annotations."""
        return self._ask("DELETE", f"/api/v2/records/{quote(record_id)}")

    def list_records(self, run_id: str, **query: Unpack[ListRecordsQuery]) -> Pages[RecordWithScores]:
        """List the records of a run with all their scores, oldest first."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/records", query=query)

    def create_record(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordBody]) -> Record:
        """Create a record in a run, with a pending score for each of its metrics."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/records", fields=fields, key=idempotency_key)

    def create_records(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordsBody]) -> CreateRecordsAnswer:
        """Create up to 1,000 records in a run, all or none. From JSON, or from NDJSON with one record a line."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/records/bulk-create", fields=fields, key=idempotency_key)

    def list_review_disagreements(self, metric_id: str, **query: Unpack[ListReviewDisagreementsQuery]) -> Pages[ReviewDisagreement]:
        """List the records of a metric on which reviewers disagree, oldest first."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/review-disagreements", query=query)

    def assign_reviews(self, project_id: str, body: AssignReviewsBody, *, idempotency_key: str | None = None, **query: Unpack[AssignReviewsQuery]) -> AssignReviewsAnswer:
        """Assign the waiting records of the queues to people, in turn. An assigned record comes to these people first, and each has one of its reviews reserved. Records without an assigned user are for anyone. Repeat the request for more than 10,000 records."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/assign", query=query, body=body, key=idempotency_key)

    def leave_reviews(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[LeaveReviewsQuery]) -> LeaveReviewsAnswer:
        """Give back records that are assigned to you and wait for your score. They are then for anyone. Your reviews stay."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/leave", query=query, key=idempotency_key)

    def next_review(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[NextReviewQuery]) -> NextReviewAnswer:
        """Claim the next record to score for ten minutes. You claim it for every metric by which it waits for your score; with `metricId` for that one. A second call returns the same record and renews the claim."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/next", query=query, key=idempotency_key)

    def get_review_progress(self, project_id: str, **query: Unpack[GetReviewProgressQuery]) -> GetReviewProgressAnswer:
        """Get the progress of reviews by queue and by person."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/reviews/progress", query=query)

    def undo_review(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[UndoReviewQuery]) -> NextReviewAnswer:
        """Undo your last review and claim its record again. Reviews that were submitted together are undone together; with `metricId` only the one by that metric. A second call undoes the review before."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/undo", query=query, key=idempotency_key)

    def submit_reviews(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitReviewsBody]) -> SubmitReviewsAnswer:
        """Submit your scores of a record by several metrics, all or none. The record gets each score when all its reviewers have submitted theirs. `skip` names the metrics by which the record comes back to you after all others."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews", fields=fields, key=idempotency_key)

    def list_reviews(self, record_id: str, metric_config_id: str) -> ListReviewsAnswer:
        """List the reviews of a record that you may see."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}")

    def submit_review(self, record_id: str, metric_config_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitReviewBody]) -> SubmitReviewsAnswerDataItem:
        """Submit your score of a record. The record gets its score when all its reviewers have submitted."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}", fields=fields, key=idempotency_key)

    def skip_review(self, record_id: str, metric_config_id: str, *, idempotency_key: str | None = None) -> SkipReviewAnswer:
        """Skip a record. It comes back to you after all others."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}/skip", key=idempotency_key)

    def list_sampled_records(self, review_sample_id: str, **query: Unpack[ListSampledRecordsQuery]) -> Pages[SampledRecord]:
        """List the records of a review sample with their inclusion probabilities, oldest first."""
        return self._list("GET", f"/api/v2/review-samples/{quote(review_sample_id)}/records", query=query)

    def list_review_samples(self, run_id: str, **query: Unpack[ListReviewSamplesQuery]) -> Pages[ReviewSample]:
        """List the review samples of a run with their strata, oldest first."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/review-samples", query=query)

    def create_review_sample(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateReviewSampleBody]) -> ReviewSample:
        """Fill the queue of a human metric with a random sample of a run, or extend that sample."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/review-samples", fields=fields, key=idempotency_key)

    def list_run_details(self, project_id: str, **query: Unpack[ListRunDetailsQuery]) -> Pages[ListedRun]:
        """List the runs of a project with their names, tags and marks, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/run-details", query=query)

    def list_runs(self, project_id: str, **query: Unpack[ListRunsQuery]) -> Pages[Run]:
        """List the runs of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/runs", query=query)

    def create_run(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRunBody]) -> Run:
        """Start a run. It scores with the current configurations of its metrics."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/runs", fields=fields, key=idempotency_key)

    def estimate_run(self, project_id: str, **fields: Unpack[EstimateRunBody]) -> RunCostEstimate:
        """Estimate the cost of the judges of a run before it starts. Nothing is written."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/runs/estimate", fields=fields, key=False)

    def group_project_runs(self, project_id: str, **query: Unpack[GroupProjectRunsQuery]) -> ValueGroups:
        """Count the runs of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its runs. With `rateOf`, it has the pass rate over their records, of the newest 100,000 of the project."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/runs/groups", query=query)

    def get_run(self, run_id: str) -> Run:
        """Get a run with its counts and its status."""
        return self._ask("GET", f"/api/v2/runs/{quote(run_id)}")

    def delete_run(self, run_id: str) -> Success:
        """Delete a run and its records, with their scores, tags and annotations. This cannot be undone."""
        return self._ask("DELETE", f"/api/v2/runs/{quote(run_id)}")

    def cancel_run(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CancelRunBody]) -> CancelRunAnswer:
        """Cancel the pending work of a run, or a part of it. Calls of its system, scores and proposals. Results stay; a retry queues the work again."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/cancel", fields=fields, key=idempotency_key)

    def get_run_details(self, run_id: str) -> RunDetail:
        """Get a run with its notes, progress, calls of the system and judge budget. With `Accept: text/event-stream`, its progress comes until no work is pending."""
        return self._ask("GET", f"/api/v2/runs/{quote(run_id)}/details")

    def update_run_details(self, run_id: str, **fields: Unpack[UpdateRunDetailsBody]) -> RunDetail:
        """Change the name, tags, marks, notes or judge budget of a run."""
        return self._ask("PATCH", f"/api/v2/runs/{quote(run_id)}/details", fields=fields)

    def add_run_metrics(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AddRunMetricsBody]) -> Run:
        """Add metrics to a run with their current configurations. They score its present and future records."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/metrics", fields=fields, key=idempotency_key)

    def retry_run(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[RetryRunBody]) -> CancelRunAnswer:
        """Retry the work of a run that failed or was cancelled, or a part of it. Calls of its system, scores, and proposals of open rescorings. Work that could not be scored is retried too; existing results stay."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/retry", fields=fields, key=idempotency_key)

    def upsert_run_verdict(self, run_id: str, gate: str, **fields: Unpack[UpsertRunVerdictBody]) -> RunVerdict:
        """Store what a gate decided about a run, in place of its earlier verdict."""
        return self._ask("PUT", f"/api/v2/runs/{quote(run_id)}/verdicts/{quote(gate)}", fields=fields)

    def list_schedules(self, project_id: str) -> ListSchedulesAnswer:
        """List the schedules of a project, oldest first. There are at most 50."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/schedules")

    def create_schedule(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateScheduleBody]) -> Schedule:
        """Start a run or a drift trial at the times of a cron expression."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/schedules", fields=fields, key=idempotency_key)

    def update_schedule(self, schedule_id: str, **fields: Unpack[UpdateScheduleBody]) -> Schedule:
        """Change, pause or resume a schedule, or make it due at once."""
        return self._ask("PATCH", f"/api/v2/schedules/{quote(schedule_id)}", fields=fields)

    def delete_schedule(self, schedule_id: str) -> Success:
        """Delete a schedule. The runs that it started stay."""
        return self._ask("DELETE", f"/api/v2/schedules/{quote(schedule_id)}")

    def get_score(self, record_id: str, metric_config_id: str) -> ScoreDetail:
        """Get a score in any state, with its evidence and the scores it replaced."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}")

    def upsert_score(self, record_id: str, metric_config_id: str, **fields: Unpack[UpsertScoreBody]) -> Score:
        """Store a score. Without a score in the body, the record is queued for people."""
        return self._ask("PUT", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}", fields=fields)

    def get_span_score(self, record_id: str, metric_config_id: str, span_id: str, **query: Unpack[GetSpanScoreQuery]) -> SpanScoreDetail:
        """Get the score of a span, with its evidence and the verdicts that it replaced."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}/spans/{quote(span_id)}", query=query)

    def upsert_span_score(self, record_id: str, metric_config_id: str, span_id: str, **fields: Unpack[UpsertSpanScoreBody]) -> SpanScoreDetail:
        """Store a score of a span. The metric must score spans, and its search must choose this one. The score of the record is computed again."""
        return self._ask("PUT", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}/spans/{quote(span_id)}", fields=fields)

    def list_span_scores(self, record_id: str) -> ListSpanScoresAnswer:
        """List the scores of the spans of a record, and the spans that people can score. Metrics with a search of spans give them. The score of the record is the lowest of its spans."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/span-scores")

    def upsert_scores(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertScoresBody]) -> UpsertScoresAnswer:
        """Store many scores of a run, all or none. An item with a reason in place of a score marks its record as unscored, for example because the grader failed. The run then no longer waits for that score."""
        return self._ask("POST", f"/api/v2/runs/{quote(run_id)}/scores/bulk-upsert", fields=fields, key=idempotency_key)

    def update_password(self, **fields: Unpack[UpdatePasswordBody]) -> Success:
        """Change your password. It also changes in your other organizations where it is the same. Your other sessions end."""
        return self._ask("PUT", "/api/v2/me/password", fields=fields)

    def create_sign_in_link(self, user_id: str) -> SignInLink:
        """Create a link with which the member chooses a password. It works once. Admins only."""
        return self._ask("POST", f"/api/v2/members/{quote(user_id)}/sign-in-links", key=False)

    def get_sign_in_link(self, **fields: Unpack[GetSignInLinkBody]) -> SignInLinkTarget:
        """Get the member that a sign-in link is for. It is a POST, so that no log contains the token."""
        return self._ask("POST", "/api/v2/sign-in-links/find", fields=fields, key=False)

    def redeem_sign_in_link(self, **fields: Unpack[RedeemSignInLinkBody]) -> SignIn:
        """Sign in with a sign-in link. The link works once. It needs a new password, unless it asks a person who came by single sign-on."""
        return self._ask("POST", "/api/v2/sign-in-links/redeem", fields=fields, key=False)

    def get_sign_in_options(self) -> SignInOptions:
        """Get the ways to sign in."""
        return self._ask("GET", "/api/v2/sign-in-options")

    def sign_in(self, **fields: Unpack[SignInBody]) -> SignIn:
        """Sign in with e-mail address and password. The answer sets the session cookie."""
        return self._ask("POST", "/api/v2/sign-ins", fields=fields, key=False)

    def sign_out(self) -> Success:
        """End the session of this request."""
        return self._ask("DELETE", "/api/v2/sign-ins/current")

    def switch_organization(self, **fields: Unpack[SwitchOrganizationBody]) -> SignIn:
        """Switch to another organization of yours. The answer sets the cookie of a new session."""
        return self._ask("PUT", "/api/v2/sign-ins/current/organization", fields=fields)

    def get_single_sign_on(self) -> SingleSignOn:
        """Get how single sign-on is set. The operator sets it in the environment of the service. Admins only."""
        return self._ask("GET", "/api/v2/single-sign-on")

    def simulate_user(self, system_version_id: str, **fields: Unpack[SimulateUserBody]) -> SimulateUserAnswer:
        """Simulate a user of a conversation. A system version whose config is a prompt writes the next message."""
        return self._ask("POST", f"/api/v2/agents/{quote(system_version_id)}/simulate", fields=fields, key=False)

    def list_systems(self, project_id: str, **query: Unpack[ListSystemsQuery]) -> Pages[System]:
        """List the systems of a project, oldest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/systems", query=query)

    def upsert_system(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertSystemBody]) -> System:
        """Create a system, or add a production version to the one with this name. The configuration becomes the new production version."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/systems", fields=fields, key=idempotency_key)

    def try_system(self, project_id: str, **fields: Unpack[TrySystemBody]) -> TrySystemAnswer:
        """Send one testcase, or inputs, to a system before a run starts. Nothing is written. With `Accept: text/event-stream`, the text of a prompt comes while the model writes it. With `simulation`, a simulated user talks to the system, and each message comes as it is said; `outputs` has the conversation."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/systems/try", fields=fields, key=False)

    def get_labelled_version(self, project_id: str, system_name: str, label: str) -> SystemVersionDetails:
        """Get the version that a label points to, as a prompt by its name. Labels are production, latest, or a label of the team."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/systems/{quote(system_name)}/versions/{quote(label)}")

    def get_system_version(self, system_version_id: str) -> SystemVersion:
        """Get one version of a system with its configuration."""
        return self._ask("GET", f"/api/v2/systems/versions/{quote(system_version_id)}")

    def get_system(self, system_id: str) -> System:
        """Get a system with the names of its versions."""
        return self._ask("GET", f"/api/v2/systems/{quote(system_id)}")

    def update_system(self, system_id: str, **fields: Unpack[UpdateSystemBody]) -> System:
        """Change the name, the description or the production version of a system."""
        return self._ask("PATCH", f"/api/v2/systems/{quote(system_id)}", fields=fields)

    def delete_system(self, system_id: str) -> Success:
        """Delete a system. Its versions stay readable for the runs that used them."""
        return self._ask("DELETE", f"/api/v2/systems/{quote(system_id)}")

    def upsert_system_label(self, system_id: str, label: str, **fields: Unpack[UpsertSystemLabelBody]) -> SystemVersionDetails:
        """Point a label to a version of the system. production is the production version."""
        return self._ask("PUT", f"/api/v2/systems/{quote(system_id)}/labels/{quote(label)}", fields=fields)

    def delete_system_label(self, system_id: str, label: str) -> Success:
        """Remove a label of a system. Clients that ask for it then get 404."""
        return self._ask("DELETE", f"/api/v2/systems/{quote(system_id)}/labels/{quote(label)}")

    def list_system_versions(self, system_id: str, **query: Unpack[ListSystemVersionsQuery]) -> Pages[SystemVersionDetails]:
        """List the versions of a system with their labels and notes, newest first."""
        return self._list("GET", f"/api/v2/systems/{quote(system_id)}/versions", query=query)

    def upsert_system_version(self, system_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertSystemVersionBody]) -> SystemVersion:
        """Add a configuration as a version, or rename the version that has it. The production version stays the same."""
        return self._ask("POST", f"/api/v2/systems/{quote(system_id)}/versions", fields=fields, key=idempotency_key)

    def list_project_tags(self, project_id: str, **query: Unpack[ListProjectTagsQuery]) -> Pages[ProjectTag]:
        """List the tags of a project, most used first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/tags", query=query)

    def list_record_tags(self, record_id: str) -> ListRecordTagsAnswer:
        """List the tags of a record, oldest first."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/tags")

    def create_record_tag(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordTagBody]) -> RecordTag:
        """Add a tag to a record. An existing tag is returned unchanged."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/tags", fields=fields, key=idempotency_key)

    def delete_record_tag(self, record_id: str, text: str) -> DeleteRecordTagAnswer:
        """Remove a tag from a record. It is not an error if the record does not have it."""
        return self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/tags/{quote(text)}")

    def list_testset_details(self, project_id: str, **query: Unpack[ListTestsetDetailsQuery]) -> Pages[ListedTestset]:
        """List the testsets of a project with the number of their testcases, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/testset-details", query=query)

    def list_testsets(self, project_id: str, **query: Unpack[ListTestsetsQuery]) -> Pages[Testset]:
        """List the testsets of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/testsets", query=query)

    def create_testset(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestsetBody]) -> Testset:
        """Create a testset with the schema of its testcases and the meaning of their fields."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/testsets", fields=fields, key=idempotency_key)

    def create_testcase_from_record(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestcaseFromRecordBody]) -> Testcase:
        """Create a testcase from a record: its inputs, and its outputs as the expected output."""
        return self._ask("POST", f"/api/v2/records/{quote(record_id)}/testcase", fields=fields, key=idempotency_key)

    def get_seal(self, seal_id: str) -> Seal:
        """Get a sealed split: its counts, its figures and its budget."""
        return self._ask("GET", f"/api/v2/seals/{quote(seal_id)}")

    def list_sealed_looks(self, seal_id: str, **query: Unpack[ListSealedLooksQuery]) -> Pages[SealedLook]:
        """List the looks at a sealed split, newest first."""
        return self._list("GET", f"/api/v2/seals/{quote(seal_id)}/looks", query=query)

    def create_sealed_look(self, seal_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSealedLookBody]) -> SealedLook:
        """Look at a version: call it with the sealed testcases, and compare it with the baseline. Takes one look of the budget. The answer comes when the calls and scores are made: read the list of looks. A version that was looked at has its former answer."""
        return self._ask("POST", f"/api/v2/seals/{quote(seal_id)}/looks", fields=fields, key=idempotency_key)

    def open_seal(self, seal_id: str, *, idempotency_key: str | None = None) -> Seal:
        """Open a sealed split before its looks are spent. Without a look, its testcases return to the testset as they were. After a look, they get the split of the seal, and its runs become a project."""
        return self._ask("POST", f"/api/v2/seals/{quote(seal_id)}/open", key=idempotency_key)

    def delete_testcases(self, *, idempotency_key: str | None = None, **fields: Unpack[DeleteTestcasesBody]) -> Success:
        """Delete testcases by their ids, all or none."""
        return self._ask("POST", "/api/v2/testcases/bulk-delete", fields=fields, key=idempotency_key)

    def get_testcase(self, testcase_id: str) -> Testcase:
        """Get a testcase."""
        return self._ask("GET", f"/api/v2/testcases/{quote(testcase_id)}")

    def update_testcase(self, testcase_id: str, **fields: Unpack[UpdateTestcaseBody]) -> Testcase:
        """Replace the data of a testcase. Records keep the revision that they were created from."""
        return self._ask("PUT", f"/api/v2/testcases/{quote(testcase_id)}", fields=fields)

    def get_testset(self, testset_id: str) -> Testset:
        """Get a testset."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}")

    def update_testset(self, testset_id: str, **fields: Unpack[UpdateTestsetBody]) -> Testset:
        """Change a testset. Its testcases keep the validation errors of the schema at the time they were written."""
        return self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}", fields=fields)

    def delete_testset(self, testset_id: str) -> Success:
        """Delete a testset and its testcases. Their records stay."""
        return self._ask("DELETE", f"/api/v2/testsets/{quote(testset_id)}")

    def get_testset_counts(self, testset_id: str) -> TestsetCounts:
        """Get the numbers of testcases of a testset, of its splits and of its tags."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/counts")

    def draft_testcases(self, testset_id: str, **fields: Unpack[DraftTestcasesBody]) -> TestcaseDrafts:
        """Let a model draft testcases for review. From a description, the testcases that exist, or records. Near-duplicates are marked. Nothing is written."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/drafts", fields=fields, key=False)

    def list_fresh_testcases(self, testset_id: str, **query: Unpack[ListFreshTestcasesQuery]) -> Pages[FreshTestcase]:
        """List the fresh testcases of a testset, newest first. Those that wait, and those that a run took, with the run."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases", query=query)

    def create_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateFreshTestcasesBody]) -> FreshTestcasesCreated:
        """Add 1 to 100 fresh testcases, all or none. They wait outside of the testset, unseen by runs, until a run takes them (`fresh`)."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/bulk-create", fields=fields, key=idempotency_key)

    def delete_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[DeleteFreshTestcasesBody]) -> Success:
        """Delete fresh testcases that wait, all or none."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/bulk-delete", fields=fields, key=idempotency_key)

    def draw_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[DrawFreshTestcasesBody]) -> FreshDraw:
        """Draw fresh testcases from the traffic of the project, or preview the draw. Each record of the traffic has the same chance, and is drawn once. A testcase has the fields of the record that the testset has too."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/draw", fields=fields, key=idempotency_key)

    def list_seals(self, testset_id: str, **query: Unpack[ListSealsQuery]) -> Pages[Seal]:
        """List the sealed splits of a testset, newest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/seals", query=query)

    def create_seal(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSealBody]) -> Seal:
        """Seal testcases of a testset: no one reads them until their looks are spent. Their texts leave the testset and its snapshots. Only counts and the answers of looks are shown, to no member, admin, agent or judge page more. Records of earlier runs stay as they are; `numSeen` counts the testcases that have some."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/seals", fields=fields, key=idempotency_key)

    def get_testset_settings(self, testset_id: str) -> TestsetSettings:
        """Get how the testcases of a testset are grouped and split."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/settings")

    def update_testset_settings(self, testset_id: str, **fields: Unpack[UpdateTestsetSettingsBody]) -> TestsetSettings:
        """Choose how the testcases of a testset are grouped and split. Intervals are then based on the groups."""
        return self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/settings", fields=fields)

    def list_snapshots(self, testset_id: str, **query: Unpack[ListSnapshotsQuery]) -> Pages[Snapshot]:
        """List the snapshots of a testset, newest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots", query=query)

    def create_snapshot(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSnapshotBody]) -> Snapshot:
        """Make a snapshot of a testset as it is now, or name the one that exists. No testcase is copied. A run makes a snapshot of its testset when it starts, so none has to be made for it."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/snapshots", fields=fields, key=idempotency_key)

    def get_snapshot(self, testset_id: str, snapshot_number: str) -> Snapshot:
        """Get a snapshot of a testset."""
        return self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}")

    def update_snapshot(self, testset_id: str, snapshot_number: str, **fields: Unpack[UpdateSnapshotBody]) -> Snapshot:
        """Change the name of a snapshot."""
        return self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}", fields=fields)

    def list_snapshot_differences(self, testset_id: str, snapshot_number: str, **query: Unpack[ListSnapshotDifferencesQuery]) -> Pages[TestcaseDifference]:
        """List the testcases that differ between two snapshots of a testset. Without the second, between the snapshot and the testset as it is now."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}/differences", query=query)

    def restore_snapshot(self, testset_id: str, snapshot_number: str, *, idempotency_key: str | None = None) -> SnapshotRestored:
        """Make the testcases of a testset what they were in a snapshot. The testset as it is gets a snapshot first, so restoring can be undone. A testcase gets back its revision too: results of then and of now compare again."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}/restore", key=idempotency_key)

    def list_testcases(self, testset_id: str, **query: Unpack[ListTestcasesQuery]) -> Pages[Testcase]:
        """List the testcases of a testset, oldest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/testcases", query=query)

    def create_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestcasesBody]) -> CreateTestcasesAnswer:
        """Add 1 to 100 testcases to a testset, all or none."""
        return self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/testcases", fields=fields, key=idempotency_key)

    def update_testcase_marks(self, testset_id: str, **fields: Unpack[UpdateTestcaseMarksBody]) -> TestcasesMarked:
        """Set the split and the tags of the testcases that fit. Without ids, search and share, of all testcases. A share is drawn by groups, so that no group is in two splits."""
        return self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/testcases", fields=fields)

    def list_trace_sessions(self, project_id: str, **query: Unpack[ListTraceSessionsQuery]) -> Pages[TraceSession]:
        """List the sessions that the traces of a project name, the one with the latest trace first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/sessions", query=query)

    def list_spans(self, project_id: str, **query: Unpack[ListSpansQuery]) -> Pages[Span]:
        """Search the spans of a project, latest start first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/spans", query=query)

    def list_traces(self, project_id: str, **query: Unpack[ListTracesQuery]) -> Pages[Trace]:
        """List the traces of a project, latest start first. A search narrows the list and sorts it."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/traces", query=query)

    def group_project_traces(self, project_id: str, **query: Unpack[GroupProjectTracesQuery]) -> ValueGroups:
        """Count the traces of a project by the value of a field. The search is that of the list. Each group has the filter that finds its traces."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/groups", query=query)

    def get_trace(self, project_id: str, trace_id: str) -> Trace:
        """Get a trace with its sums and the scores of its record."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}")

    def delete_trace(self, project_id: str, trace_id: str) -> Success:
        """Delete a trace and its spans. A record that was created from this trace alone is deleted too, unless someone has reviewed, annotated or scored it."""
        return self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}")

    def get_trace_conversation(self, project_id: str, trace_id: str, **query: Unpack[GetTraceConversationQuery]) -> GetTraceConversationAnswer:
        """Get the conversation of a trace, from the spans of its models, tools and agents."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/conversation", query=query)

    def list_trace_spans(self, project_id: str, trace_id: str, **query: Unpack[ListTraceSpansQuery]) -> ListTraceSpansAnswer:
        """List the spans of a trace as a tree: the first 10,000 by start."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/spans", query=query)

    def get_span(self, project_id: str, trace_id: str, span_id: str) -> SpanDetail:
        """Get a span with all its data."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/spans/{quote(span_id)}")

    def list_trace_users(self, project_id: str, **query: Unpack[ListTraceUsersQuery]) -> Pages[TraceUser]:
        """List the users that the traces of a project name, the one with the latest trace first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/users", query=query)

    def get_record_conversation(self, record_id: str, **query: Unpack[GetRecordConversationQuery]) -> GetTraceConversationAnswer:
        """Get the conversation of a record, from the spans of its models, tools and agents."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/conversation", query=query)

    def list_record_spans(self, record_id: str, **query: Unpack[ListRecordSpansQuery]) -> ListTraceSpansAnswer:
        """List the spans of a record as a tree: the first 10,000 by start."""
        return self._ask("GET", f"/api/v2/records/{quote(record_id)}/spans", query=query)

    def get_pinned_set(self, metric_id: str) -> PinnedSet:
        """Get the pinned set of a metric."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/pinned-set")

    def upsert_pinned_set(self, metric_id: str, **fields: Unpack[UpsertPinnedSetBody]) -> PinnedSet:
        """Pin labelled records, on which judges are then tried. The judge's verdicts on them are the reference of later trials."""
        return self._ask("PUT", f"/api/v2/metrics/{quote(metric_id)}/pinned-set", fields=fields)

    def delete_pinned_set(self, metric_id: str) -> Success:
        """Delete the pinned set of a metric. The runs of its trials stay."""
        return self._ask("DELETE", f"/api/v2/metrics/{quote(metric_id)}/pinned-set")

    @overload
    def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields1]) -> Trial: ...

    @overload
    def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields2]) -> Trial: ...

    @overload
    def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields3]) -> Trial: ...

    @overload
    def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields4]) -> Trial: ...

    @overload
    def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields5]) -> Trial: ...

    @overload
    def create_trial(self, metric_id: str, body: CreateTrialBody1 | CreateTrialBody2 | CreateTrialBody3 | CreateTrialBody4 | CreateTrialBody5, *, idempotency_key: str | None = None) -> Trial: ...

    def create_trial(self, metric_id: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Trial:
        """Start a trial: configurations of a metric decide records beside its judge. Stored scores stay. A drift trial tries the judge in use on the pinned records. A succession tries other models or prompts on them. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels; or it tries prompts that a person wrote, on labels for tuning or on labels that are kept for the check. A battery edits the pinned records without changing the truth about them, and counts the verdicts that change. A rescoring tries a configuration on a run that the metric scores; a sample can go first."""
        return self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials", fields=fields if body is None else None, body=body, key=idempotency_key)

    @overload
    def estimate_trial(self, metric_id: str, **fields: Unpack[EstimateTrialFields1]) -> TrialEstimate: ...

    @overload
    def estimate_trial(self, metric_id: str, **fields: Unpack[EstimateTrialFields2]) -> TrialEstimate: ...

    @overload
    def estimate_trial(self, metric_id: str, body: CreateTrialBody4 | CreateTrialBody3) -> TrialEstimate: ...

    def estimate_trial(self, metric_id: str, body: Any = None, **fields: Any) -> TrialEstimate:
        """Estimate the verdicts and the cost of a trial before it starts. Nothing is written. For a battery: which biases the pinned records can show. For an alignment of prompts that a person wrote: how far people agree with the prompt as it is saved."""
        return self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/estimate", fields=fields if body is None else None, body=body)

    def get_trial(self, metric_id: str, trial_number: str, **query: Unpack[GetTrialQuery]) -> Trial:
        """Get a trial with its verdicts, its progress and its cost. Each candidate has its drift or equivalence, agreement, cost and latency. A rescoring has the number of scores that change, its cost so far and an estimate of the rest."""
        return self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}", query=query)

    def list_trial_changes(self, metric_id: str, trial_number: str, **query: Unpack[ListTrialChangesQuery]) -> Pages[TrialChange]:
        """List the records of a rescoring or an alignment with both verdicts. For a rescoring: the score and the proposed one. For an alignment of written prompts on labels for tuning: the verdicts of people, of the saved and of the edited prompt. Labels that are kept for the check are not listed: 409. Other trials: 404."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/changes", query=query)

    @overload
    def decide_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None, **fields: Unpack[DecideTrialFields1]) -> Trial: ...

    @overload
    def decide_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None, **fields: Unpack[DecideTrialFields2]) -> Trial: ...

    @overload
    def decide_trial(self, metric_id: str, trial_number: str, body: DecideTrialBody1 | DecideTrialBody2, *, idempotency_key: str | None = None) -> Trial: ...

    def decide_trial(self, metric_id: str, trial_number: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Trial:
        """Adopt a candidate or the proposals of a trial, or discard the trial."""
        return self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/decide", fields=fields if body is None else None, body=body, key=idempotency_key)

    def extend_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None) -> Trial:
        """Extend a rescoring from the sample to every record. Records that were added to the run since then are included. Other trials have no sample: 404."""
        return self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/extend", key=idempotency_key)

    def list_trials(self, **query: Unpack[ListTrialsQuery]) -> Pages[Trial]:
        """List the trials of a metric or of a run with their verdicts, newest first. The query names a metric, a run or both."""
        return self._list("GET", "/api/v2/trials", query=query)

    def list_views(self, project_id: str) -> ListViewsAnswer:
        """List the saved views of a project by name: your own and the shared ones."""
        return self._ask("GET", f"/api/v2/projects/{quote(project_id)}/views")

    def create_view(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateViewBody]) -> SavedView:
        """Save a search of a project's records under a name, with its display settings."""
        return self._ask("POST", f"/api/v2/projects/{quote(project_id)}/views", fields=fields, key=idempotency_key)

    def update_view(self, view_id: str, **fields: Unpack[UpdateViewBody]) -> SavedView:
        """Change a saved view. Only its author may do this or, if it is shared, an admin."""
        return self._ask("PATCH", f"/api/v2/views/{quote(view_id)}", fields=fields)

    def delete_view(self, view_id: str) -> Success:
        """Delete a saved view. Only its author may do this or, if it is shared, an admin."""
        return self._ask("DELETE", f"/api/v2/views/{quote(view_id)}")


class AsyncOperations(AsyncHttp):
    """Every operation of the API, for asyncio."""

    def list_keys(self, **query: Unpack[ListKeysQuery]) -> AsyncPages[ApiKey]:
        """List your API keys, oldest first. An admin gets the keys of all members."""
        return self._list("GET", "/api/v2/keys", query=query)

    async def create_key(self, **fields: Unpack[CreateKeyBody]) -> ApiKeyCreated:
        """Create an API key for yourself. Only this answer shows the key."""
        return await self._ask("POST", "/api/v2/keys", fields=fields, key=False)

    async def delete_key(self, key_id: str) -> Success:
        """Delete an API key at once: your own or, as an admin, any key."""
        return await self._ask("DELETE", f"/api/v2/keys/{quote(key_id)}")

    async def update_alert(self, alert_id: str, **fields: Unpack[UpdateAlertBody]) -> Alert:
        """Change, pause or resume an alert. Admins of the project only."""
        return await self._ask("PATCH", f"/api/v2/alerts/{quote(alert_id)}", fields=fields)

    async def delete_alert(self, alert_id: str) -> Success:
        """Delete an alert with its log. Admins of the project only."""
        return await self._ask("DELETE", f"/api/v2/alerts/{quote(alert_id)}")

    async def ask_address_owner(self, alert_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AskAddressOwnerBody]) -> Alert:
        """Ask the owner of an address again if they want the mails. Admins of the project only. At most 3 mails a day to one address, and 50 of the organization."""
        return await self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/confirmations", fields=fields, key=idempotency_key)

    def list_alert_deliveries(self, alert_id: str, **query: Unpack[ListAlertDeliveriesQuery]) -> AsyncPages[AlertDelivery]:
        """List the deliveries of an alert, newest first. Finished deliveries are kept for 30 days."""
        return self._list("GET", f"/api/v2/alerts/{quote(alert_id)}/deliveries", query=query)

    async def retry_alert_delivery(self, alert_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> Success:
        """Send a finished delivery again. Admins of the project only."""
        return await self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/deliveries/{quote(delivery_id)}/retry", key=idempotency_key)

    async def test_alert(self, alert_id: str) -> AlertDelivery:
        """Send a test message now and return how it went. Admins of the project only."""
        return await self._ask("POST", f"/api/v2/alerts/{quote(alert_id)}/test", key=False)

    async def get_address_question(self, **fields: Unpack[GetAddressQuestionBody]) -> AddressQuestion:
        """Get what a link in a mail is for. It is a POST, so that no log contains the token."""
        return await self._ask("POST", "/api/v2/mail-addresses/find", fields=fields, key=False)

    async def redeem_address_link(self, **fields: Unpack[RedeemAddressLinkBody]) -> Success:
        """Confirm an address, or stop the mails to it. The link says which."""
        return await self._ask("POST", "/api/v2/mail-addresses/redeem", fields=fields, key=False)

    async def list_alarms(self, project_id: str, **query: Unpack[ListAlarmsQuery]) -> ListAlarmsAnswer:
        """List the alarms that limits would have raised in the last 30 days. Holds the traffic and the monitors of the last 30 days against the limits of an alert, stored or not. Nothing is sent."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/alarms", query=query)

    async def list_alerts(self, project_id: str) -> ListAlertsAnswer:
        """List the alerts of a project, oldest first. There are at most 50."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/alerts")

    async def create_alert(self, project_id: str, **fields: Unpack[CreateAlertBody]) -> AlertCreated:
        """Send events of a project to a webhook, to Slack or by e-mail. Admins of the project only. Only this answer shows the signing key."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/alerts", fields=fields, key=False)

    async def measure_agreement(self, metric_id: str, **query: Unpack[MeasureAgreementQuery]) -> ReviewerAgreement:
        """Measure how far people who reviewed the same records agree."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/agreement", query=query)

    async def calibrate_metric(self, metric_id: str, **query: Unpack[CalibrateMetricQuery]) -> JudgeCalibration:
        """Compare a judge with people. Its errors, the best passing threshold, and the pass rate of a run corrected for the errors."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/calibration", query=query)

    def list_judge_disagreements(self, metric_id: str, **query: Unpack[ListJudgeDisagreementsQuery]) -> AsyncPages[CalibrationDisagreement]:
        """List the records on which a judge and people disagree, oldest first."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/calibration/disagreements", query=query)

    async def get_judge_passport(self, metric_id: str, **query: Unpack[GetJudgePassportQuery]) -> JudgePassport:
        """Get the passport of a judge: how far it can be trusted, signed. Its grade, error rates, labels by maker, drift, bias battery, the end of its model, and when the passport expires. Each answer is signed when it is asked for and says how things are then."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/passport", query=query)

    async def get_passport_key(self) -> PassportKey:
        """Get the public key that checks passports of judges."""
        return await self._ask("GET", "/api/v2/passport-key")

    async def get_project_news(self, project_id: str, **query: Unpack[GetProjectNewsQuery]) -> News:
        """Get what happened in a project lately. New runs with their verdict against the run before, changes of traffic that are shown, alerts, failures in monitors and labels of other members."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/news", query=query)

    async def plan_run(self, project_id: str, **query: Unpack[PlanRunQuery]) -> Plan:
        """Plan a comparison from earlier runs. How many testcases it needs, or how small a difference it can detect."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/plan", query=query)

    async def list_report_links(self, project_id: str) -> ReportLinks:
        """List the links of a project that show a report without an account."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/report-links")

    async def create_report_link(self, project_id: str, **fields: Unpack[CreateReportLinkBody]) -> ReportLinkCreated:
        """Make a link that shows the comparison of runs without an account. Only this answer shows it. An admin allows such links in the settings of the organization."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/report-links", fields=fields, key=False)

    async def get_series(self, project_id: str, **query: Unpack[GetSeriesQuery]) -> Series:
        """Get the measures and scores of a project's records over time. Volume, errors, latency, tokens, cost and scores, each with its uncertainty."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/series", query=query)

    async def list_trends(self, project_id: str, **query: Unpack[ListTrendsQuery]) -> Trends:
        """List each metric of a project over its latest runs, each point with its uncertainty."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/trends", query=query)

    async def get_shared_report(self, **fields: Unpack[GetSharedReportBody]) -> SharedReport:
        """Get the report that a link shows. It is a POST, so that no log contains the token. Every link that shows nothing has the same answer, 401."""
        return await self._ask("POST", "/api/v2/report-links/read", fields=fields, key=False)

    async def delete_report_link(self, report_link_id: str) -> Success:
        """Revoke a link to a report at once."""
        return await self._ask("DELETE", f"/api/v2/report-links/{quote(report_link_id)}")

    async def compare_runs(self, **query: Unpack[CompareRunsQuery]) -> RunComparison:
        """Compare runs on the testcases that they share: differences, intervals and verdicts."""
        return await self._ask("GET", "/api/v2/runs/compare", query=query)

    def list_changed_testcases(self, **query: Unpack[ListChangedTestcasesQuery]) -> AsyncPages[ChangedTestcase]:
        """List the testcases whose scores changed between two runs."""
        return self._list("GET", "/api/v2/runs/compare/testcases", query=query)

    async def group_failures(self, run_id: str, **fields: Unpack[GroupFailuresBody]) -> FailureClusters:
        """Group the failures of a run by what they have in common. A model names the groups if there is one. Nothing is written."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/failure-clusters", fields=fields, key=False)

    async def create_look(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateLookBody]) -> LedgerLook:
        """Register the look of a gate before it tests, or its outcome after. Answers which look of the period it is, and the part of `alpha` that it has: look t has t^-1.5 of it, divided by 2.612. All looks together err with probability `alpha` at most, however they depend on each other."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/looks", fields=fields, key=idempotency_key)

    async def summarize_run(self, run_id: str, **query: Unpack[SummarizeRunQuery]) -> RunSummary:
        """Summarize a run metric by metric, each number with its uncertainty."""
        return await self._ask("GET", f"/api/v2/runs/{quote(run_id)}/summary", query=query)

    async def examine_testset(self, testset_id: str, **query: Unpack[ExamineTestsetQuery]) -> TestsetExamination:
        """Examine the testcases of a testset by stored runs. Finds wrong keys, disagreements with people, leaks into prompts, twins, flaky testcases, and testcases that tell no version apart, each with its evidence. Repeats a comparison without the suspects."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/examination", query=query)

    def list_looks(self, testset_id: str, **query: Unpack[ListLooksQuery]) -> AsyncPages[Look]:
        """List the verdicts about a testset that left the service, newest first. Comparisons, gates, reports, answers to agents and code, and summaries of new versions, each with who asked and when."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/looks", query=query)

    async def get_wear(self, testset_id: str, **query: Unpack[GetWearQuery]) -> Wear:
        """Count the looks at a testset, and compare fresh testcases with old ones."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/wear", query=query)

    async def list_annotations(self, record_id: str) -> ListAnnotationsAnswer:
        """List the annotations of a record, oldest first."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/annotations")

    async def create_annotation(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateAnnotationBody]) -> Annotation:
        """Rate a record, one of its spans or a passage of its text. A comment is optional."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/annotations", fields=fields, key=idempotency_key)

    async def update_annotation(self, record_id: str, annotation_id: str, **fields: Unpack[UpdateAnnotationBody]) -> Annotation:
        """Change an annotation. Only its author or an admin may do this."""
        return await self._ask("PATCH", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}", fields=fields)

    async def delete_annotation(self, record_id: str, annotation_id: str) -> Success:
        """Delete an annotation. Only its author or an admin may do this."""
        return await self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}")

    async def create_reply(self, record_id: str, annotation_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateReplyBody]) -> Reply:
        """Reply to an annotation."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies", fields=fields, key=idempotency_key)

    async def update_reply(self, record_id: str, annotation_id: str, reply_id: str, **fields: Unpack[UpdateReplyBody]) -> Reply:
        """Change a reply. Only its author or an admin may do this."""
        return await self._ask("PATCH", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies/{quote(reply_id)}", fields=fields)

    async def delete_reply(self, record_id: str, annotation_id: str, reply_id: str) -> Success:
        """Delete a reply. Only its author or an admin may do this."""
        return await self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/replies/{quote(reply_id)}")

    async def resolve_annotation(self, record_id: str, annotation_id: str, **fields: Unpack[ResolveAnnotationBody]) -> Thread:
        """Resolve the thread of an annotation, or open it again."""
        return await self._ask("PUT", f"/api/v2/records/{quote(record_id)}/annotations/{quote(annotation_id)}/resolution", fields=fields)

    def list_threads(self, record_id: str, **query: Unpack[ListThreadsQuery]) -> AsyncPages[Thread]:
        """List the threads of a record, oldest first. A thread is an annotation that has replies or is resolved."""
        return self._list("GET", f"/api/v2/records/{quote(record_id)}/threads", query=query)

    async def list_record_assignees(self, record_id: str) -> ListRecordAssigneesAnswer:
        """List the assignments of a record, oldest first."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/assignees")

    async def assign_record_user(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AssignRecordUserBody]) -> RecordAssignment:
        """Assign a record to a user. An existing assignment is returned unchanged."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/assignees", fields=fields, key=idempotency_key)

    async def unassign_record_user(self, record_id: str, assignee_user_id: str) -> UnassignRecordUserAnswer:
        """Remove the assignment of a record to a user. It is not an error if there is none."""
        return await self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/assignees/{quote(assignee_user_id)}")

    async def initiate_attachment(self, *, idempotency_key: str | None = None, **fields: Unpack[InitiateAttachmentBody]) -> InitiateAttachmentAnswer:
        """Declare a file of a session and get a link for its upload. The file belongs to `projectId`. Without it, to the only project in which the session has a record or a trace and you may write, or to the default project of the key if that has one. Otherwise it has no project until you store a record or a trace of the session: until then only you and admins see it."""
        return await self._ask("POST", "/api/v2/attachments", fields=fields, key=idempotency_key)

    def list_orphan_attachments(self, **query: Unpack[ListOrphanAttachmentsQuery]) -> AsyncPages[OrphanAttachment]:
        """List the files that no record and no trace uses, newest first. A file whose record or trace has not been stored yet is among them: look at `createdAt` before you delete it. Admins only."""
        return self._list("GET", "/api/v2/attachments/orphans", query=query)

    async def get_attachment(self, attachment_id: str) -> AttachmentWithDownload:
        """Get an attachment with a link to its bytes."""
        return await self._ask("GET", f"/api/v2/attachments/{quote(attachment_id)}")

    async def delete_attachment(self, attachment_id: str) -> Success:
        """Delete an attachment and its bytes."""
        return await self._ask("DELETE", f"/api/v2/attachments/{quote(attachment_id)}")

    async def commit_attachment(self, attachment_id: str, *, idempotency_key: str | None = None) -> Attachment:
        """Confirm an upload. Answers 400 if the bytes have not arrived."""
        return await self._ask("POST", f"/api/v2/attachments/{quote(attachment_id)}/commit", key=idempotency_key)

    def list_session_attachments(self, session_id: str, **query: Unpack[ListSessionAttachmentsQuery]) -> AsyncPages[Attachment]:
        """List the attachments of a session, newest first."""
        return self._list("GET", f"/api/v2/sessions/{quote(session_id)}/attachments", query=query)

    def list_audit_events(self, **query: Unpack[ListAuditEventsQuery]) -> AsyncPages[AuditEvent]:
        """List the audit log: every write and sign-in, newest first. Admins only."""
        return self._list("GET", "/api/v2/audit-events", query=query)

    async def verify_audit_events(self, **query: Unpack[VerifyAuditEventsQuery]) -> AuditVerification:
        """Check that no entry of the audit log was changed or removed. Admins only."""
        return await self._ask("GET", "/api/v2/audit-events/verify", query=query)

    def list_decisions(self, project_id: str, **query: Unpack[ListDecisionsQuery]) -> AsyncPages[ListedDecision]:
        """List the registered decisions of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/decisions", query=query)

    async def create_decision(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateDecisionBody]) -> RegisteredDecision:
        """Register a decision before its run. The question, the rules, and the testset, metrics and baseline as they are. The audit log holds it, so that nothing changes it later."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions", fields=fields, key=idempotency_key)

    async def get_decision(self, project_id: str, decision_id: str) -> RegisteredDecision:
        """Get a registered decision."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}")

    async def export_decision(self, project_id: str, decision_id: str, **fields: Unpack[ExportDecisionBody]) -> SignedDecision:
        """Get a decision about a run as one signed file. The registration, the rules, the data of the runs, judges, waivers, deviations and all numbers, as an in-toto statement. `dokima verify` checks it without the service. Up to 50,000 records."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/file", fields=fields, key=False)

    async def read_decision(self, project_id: str, decision_id: str, **query: Unpack[ReadDecisionQuery]) -> DecisionReading:
        """Hold a run against a registered decision: deviations in words, and waivers."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/reading", query=query)

    async def waive_decision(self, project_id: str, decision_id: str, *, idempotency_key: str | None = None, **fields: Unpack[WaiveDecisionBody]) -> Waiver:
        """Record who ships a run in spite of the verdict, and why."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/decisions/{quote(decision_id)}/waivers", fields=fields, key=idempotency_key)

    def list_executions(self, run_id: str, **query: Unpack[ListExecutionsQuery]) -> AsyncPages[Execution]:
        """List the executions of a run, including failed ones."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/executions", query=query)

    async def get_me(self) -> Me:
        """Get the organization, the member and the key of this request."""
        return await self._ask("GET", "/api/v2/me")

    def list_members(self, **query: Unpack[ListMembersQuery]) -> AsyncPages[Member]:
        """List the members of the organization, oldest first."""
        return self._list("GET", "/api/v2/members", query=query)

    async def create_member(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateMemberBody]) -> Member:
        """Add a member. Admins only."""
        return await self._ask("POST", "/api/v2/members", fields=fields, key=idempotency_key)

    async def get_member(self, user_id: str) -> Member:
        """Get a member."""
        return await self._ask("GET", f"/api/v2/members/{quote(user_id)}")

    async def update_member(self, user_id: str, **fields: Unpack[UpdateMemberBody]) -> Member:
        """Change the name or role of a member. Admins only. The role of the last admin cannot be changed."""
        return await self._ask("PATCH", f"/api/v2/members/{quote(user_id)}", fields=fields)

    async def delete_member(self, user_id: str) -> Success:
        """Remove a member and their keys. Admins only. Their records, scores and comments stay."""
        return await self._ask("DELETE", f"/api/v2/members/{quote(user_id)}")

    async def update_my_organization(self, **fields: Unpack[UpdateMyOrganizationBody]) -> Organization:
        """Change the name or a setting of the organization of this request. Admins only. Existing metrics keep their model, unless they wait for a default."""
        return await self._ask("PATCH", "/api/v2/organization", fields=fields)

    def list_scim_tokens(self, **query: Unpack[ListScimTokensQuery]) -> AsyncPages[ScimToken]:
        """List the tokens with which a directory provisions the organization, oldest first."""
        return self._list("GET", "/api/v2/scim-tokens", query=query)

    async def create_scim_token(self, **fields: Unpack[CreateScimTokenBody]) -> ScimTokenCreated:
        """Create a token for SCIM. Only this answer shows it. Admins only."""
        return await self._ask("POST", "/api/v2/scim-tokens", fields=fields, key=False)

    async def delete_scim_token(self, token_id: str) -> Success:
        """Delete a token for SCIM at once. The members stay. Admins only."""
        return await self._ask("DELETE", f"/api/v2/scim-tokens/{quote(token_id)}")

    async def get_metric_group(self, metric_group_id: str) -> MetricGroup:
        """Get a metric group."""
        return await self._ask("GET", f"/api/v2/metric-groups/{quote(metric_group_id)}")

    async def update_metric_group(self, metric_group_id: str, **fields: Unpack[UpdateMetricGroupBody]) -> MetricGroup:
        """Change a metric group. The given metrics replace the ones it has."""
        return await self._ask("PATCH", f"/api/v2/metric-groups/{quote(metric_group_id)}", fields=fields)

    async def delete_metric_group(self, metric_group_id: str) -> Success:
        """Delete a metric group. Its metrics stay."""
        return await self._ask("DELETE", f"/api/v2/metric-groups/{quote(metric_group_id)}")

    def list_metric_groups(self, project_id: str, **query: Unpack[ListMetricGroupsQuery]) -> AsyncPages[MetricGroup]:
        """List the metric groups of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/metric-groups", query=query)

    async def create_metric_group(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricGroupBody]) -> MetricGroup:
        """Create a metric group."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metric-groups", fields=fields, key=idempotency_key)

    async def list_metric_templates(self) -> ListMetricTemplatesAnswer:
        """List the metric templates, each with a record that passes and one that fails. Tests run the code of each template on both records. For prompts, tests check what a judge is shown and how its verdict is read, but ask no real model: try yours with `POST /projects/{projectId}/metrics/preview`."""
        return await self._ask("GET", "/api/v2/metric-templates")

    async def get_metric(self, metric_id: str) -> Metric:
        """Get a metric."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}")

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields1]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields2]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields3]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields4]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields5]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields6]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields7]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields8]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields9]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields10]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields11]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, **fields: Unpack[UpdateMetricFields12]) -> Metric: ...

    @overload
    async def update_metric(self, metric_id: str, body: UpdateMetricBody1 | UpdateMetricBody2 | UpdateMetricBody3 | UpdateMetricBody4 | UpdateMetricBody5 | UpdateMetricBody6 | UpdateMetricBody7 | UpdateMetricBody8 | UpdateMetricBody9 | UpdateMetricBody10 | UpdateMetricBody11 | UpdateMetricBody12) -> Metric: ...

    async def update_metric(self, metric_id: str, body: Any = None, **fields: Any) -> Metric:
        """Change a metric. A change that affects scoring makes a new configuration; existing scores keep theirs."""
        return await self._ask("PATCH", f"/api/v2/metrics/{quote(metric_id)}", fields=fields if body is None else None, body=body)

    async def delete_metric(self, metric_id: str) -> Success:
        """Delete a metric. Its configurations and all their scores stay."""
        return await self._ask("DELETE", f"/api/v2/metrics/{quote(metric_id)}")

    async def get_metric_settings(self, metric_id: str) -> MetricSettings:
        """Get the settings of a metric: votes and people of a judge, reviewers."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/settings")

    async def update_metric_settings(self, metric_id: str, **fields: Unpack[UpdateMetricSettingsBody]) -> MetricSettings:
        """Change the settings of a metric. Changes the settings that the body names. The votes of a judge are for AI metrics, and a change makes a new configuration; `peopleMetricId` is for metrics that a model or code scores; reviewers are for human metrics."""
        return await self._ask("PATCH", f"/api/v2/metrics/{quote(metric_id)}/settings", fields=fields)

    def list_metric_versions(self, metric_id: str, **query: Unpack[ListMetricVersionsQuery]) -> AsyncPages[MetricVersion]:
        """List the configurations of a metric, newest first. Drafts that only trials have tried, such as edited prompts that were measured, are in the list of trials."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/versions", query=query)

    async def draft_criteria(self, project_id: str, **fields: Unpack[DraftCriteriaBody]) -> CriteriaDrafts:
        """Let a model draft criteria of a metric for review. From guidelines, the failures of a run, or both. Repetitions are marked. `dryRun` says the cost and asks no model. Nothing is written."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/criteria-drafts", fields=fields, key=False)

    def list_metrics(self, project_id: str, **query: Unpack[ListMetricsQuery]) -> AsyncPages[Metric]:
        """List the metrics of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/metrics", query=query)

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields1]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields2]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields3]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields4]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields5]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields6]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields7]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields8]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields9]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields10]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields11]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMetricFields12]) -> Metric: ...

    @overload
    async def create_metric(self, project_id: str, body: CreateMetricBody1 | CreateMetricBody2 | CreateMetricBody3 | CreateMetricBody4 | CreateMetricBody5 | CreateMetricBody6 | CreateMetricBody7 | CreateMetricBody8 | CreateMetricBody9 | CreateMetricBody10 | CreateMetricBody11 | CreateMetricBody12, *, idempotency_key: str | None = None) -> Metric: ...

    async def create_metric(self, project_id: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Metric:
        """Create a metric. evalType and outputType choose one of nine variants, or with `category` one of three that give a label."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metrics", fields=fields if body is None else None, body=body, key=idempotency_key)

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields1]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields2]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields3]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields4]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields5]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields6]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields7]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields8]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields9]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields10]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields11]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, **fields: Unpack[PreviewMetricFields12]) -> PreviewMetricAnswer: ...

    @overload
    async def preview_metric(self, project_id: str, body: PreviewMetricBody1 | PreviewMetricBody2 | PreviewMetricBody3 | PreviewMetricBody4 | PreviewMetricBody5 | PreviewMetricBody6 | PreviewMetricBody7 | PreviewMetricBody8 | PreviewMetricBody9 | PreviewMetricBody10 | PreviewMetricBody11 | PreviewMetricBody12) -> PreviewMetricAnswer: ...

    async def preview_metric(self, project_id: str, body: Any = None, **fields: Any) -> PreviewMetricAnswer:
        """Preview a metric that is not saved. Scores a record, or the one in the body, and returns prompt, verdict, time and cost. Nothing is written."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/metrics/preview", fields=fields if body is None else None, body=body)

    async def get_monitor(self, monitor_id: str) -> Monitor:
        """Get a monitor with its results."""
        return await self._ask("GET", f"/api/v2/monitors/{quote(monitor_id)}")

    async def update_monitor(self, monitor_id: str, **fields: Unpack[UpdateMonitorBody]) -> Monitor:
        """Change, pause or resume a monitor. The change applies to traces that arrive afterwards."""
        return await self._ask("PATCH", f"/api/v2/monitors/{quote(monitor_id)}", fields=fields)

    async def delete_monitor(self, monitor_id: str) -> Success:
        """Delete a monitor and its pending scores. Scores that were given stay."""
        return await self._ask("DELETE", f"/api/v2/monitors/{quote(monitor_id)}")

    def list_monitors(self, project_id: str, **query: Unpack[ListMonitorsQuery]) -> AsyncPages[Monitor]:
        """List the monitors of a project with their results, oldest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/monitors", query=query)

    async def create_monitor(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateMonitorBody]) -> Monitor:
        """Create a monitor, which scores a share of the traces that arrive from now on."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/monitors", fields=fields, key=idempotency_key)

    async def upsert_monitor(self, project_id: str, **fields: Unpack[UpsertMonitorBody]) -> Monitor:
        """Create or change the monitor of a name, as wrapAISDK of the public TypeScript client does."""
        return await self._ask("PUT", f"/api/v2/projects/{quote(project_id)}/monitors", fields=fields)

    def list_organizations(self, **query: Unpack[ListOrganizationsQuery]) -> AsyncPages[Organization]:
        """List the organizations of this service, oldest first. For the operator."""
        return self._list("GET", "/api/v2/organizations", query=query)

    async def create_organization(self, **fields: Unpack[CreateOrganizationBody]) -> OrganizationCreated:
        """Create an organization and its first admin. The admin chooses a password with the returned link. For the operator."""
        return await self._ask("POST", "/api/v2/organizations", fields=fields, key=False)

    async def update_organization(self, organization_id: str, **fields: Unpack[UpdateOrganizationBody]) -> Organization:
        """Change the name of an organization. For the operator."""
        return await self._ask("PATCH", f"/api/v2/organizations/{quote(organization_id)}", fields=fields)

    async def create_operator_link(self, organization_id: str, **fields: Unpack[CreateOperatorLinkBody]) -> SignInLink:
        """Create a sign-in link for the member with this e-mail address. It works also where single sign-on is required. For the operator."""
        return await self._ask("POST", f"/api/v2/organizations/{quote(organization_id)}/sign-in-links", fields=fields, key=False)

    async def get_preference_study(self, preference_study_id: str) -> PreferenceStudy:
        """Get a preference study and its progress."""
        return await self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}")

    async def delete_preference_study(self, preference_study_id: str) -> Success:
        """Delete a preference study with its pairs and votes. Its runs stay."""
        return await self._ask("DELETE", f"/api/v2/preference-studies/{quote(preference_study_id)}")

    def list_preference_comparisons(self, preference_study_id: str, **query: Unpack[ListPreferenceComparisonsQuery]) -> AsyncPages[PreferenceComparison]:
        """List the pairs of a preference study with their votes. A filter keeps only the pairs on which votes differ."""
        return self._list("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/comparisons", query=query)

    async def update_preference_judge(self, preference_study_id: str, **fields: Unpack[UpdatePreferenceJudgeBody]) -> PreferenceStudy:
        """Let a model compare the pairs without its verdict, within a budget. A different model than before starts over."""
        return await self._ask("PUT", f"/api/v2/preference-studies/{quote(preference_study_id)}/judge", fields=fields)

    async def get_next_preference(self, preference_study_id: str) -> NextPreference:
        """Get the next pair to compare. It does not name the systems, and its sides are drawn by chance."""
        return await self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/next")

    async def submit_preference(self, preference_study_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitPreferenceBody]) -> Success:
        """Say which output of a pair is better. A second answer replaces the first."""
        return await self._ask("POST", f"/api/v2/preference-studies/{quote(preference_study_id)}/preferences", fields=fields, key=idempotency_key)

    async def undo_preference(self, preference_study_id: str, *, idempotency_key: str | None = None) -> NextPreference:
        """Take back your last preference and get its pair again. The answer is null if you have none. A second call takes back the one before."""
        return await self._ask("POST", f"/api/v2/preference-studies/{quote(preference_study_id)}/preferences/undo", key=idempotency_key)

    async def get_preference_result(self, preference_study_id: str, **query: Unpack[GetPreferenceResultQuery]) -> PreferenceResult:
        """Rank the runs of a preference study, with intervals, by people and by the model."""
        return await self._ask("GET", f"/api/v2/preference-studies/{quote(preference_study_id)}/result", query=query)

    def list_preference_studies(self, project_id: str, **query: Unpack[ListPreferenceStudiesQuery]) -> AsyncPages[PreferenceStudy]:
        """List the preference studies of a project, newest first. There are at most 200."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/preference-studies", query=query)

    async def create_preference_study(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreatePreferenceStudyBody]) -> PreferenceStudy:
        """Compare the outputs of runs on the same testcases, two at a time. People compare without the names of the systems; a model sees each pair in both orders."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/preference-studies", fields=fields, key=idempotency_key)

    async def estimate_preference_study(self, project_id: str, **fields: Unpack[EstimatePreferenceStudyBody]) -> PreferenceEstimate:
        """Estimate the pairs of a preference study and the cost of its model. Nothing is written."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/preference-studies/estimate", fields=fields, key=False)

    def list_projects(self, **query: Unpack[ListProjectsQuery]) -> AsyncPages[Project]:
        """List the projects, oldest first."""
        return self._list("GET", "/api/v2/projects", query=query)

    async def create_project(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateProjectBody]) -> Project:
        """Create a project."""
        return await self._ask("POST", "/api/v2/projects", fields=fields, key=idempotency_key)

    async def get_project(self, project_id: str) -> Project:
        """Get a project."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}")

    async def update_project(self, project_id: str, **fields: Unpack[UpdateProjectBody]) -> Project:
        """Change the name or the description of a project."""
        return await self._ask("PATCH", f"/api/v2/projects/{quote(project_id)}", fields=fields)

    async def delete_project(self, project_id: str) -> Success:
        """Delete a project and everything in it. This cannot be undone."""
        return await self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}")

    async def get_project_access(self, project_id: str) -> ProjectAccess:
        """Get who may do what in a project, yourself included."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/access")

    async def ask_project(self, project_id: str, **fields: Unpack[AskProjectBody]) -> AskProjectAnswer:
        """Let a model answer a question about a project. The default model of the organization answers, with tools that only read. Each claim names the runs and records that it rests on. With `Accept: text/event-stream`, calls of tools and the words of the answer come as they are made."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/ask", fields=fields, key=False)

    def list_creators(self, project_id: str, **query: Unpack[ListCreatorsQuery]) -> AsyncPages[Creator]:
        """List who created the testsets, the metrics or the systems of a project. The oldest resource first, without those that the service created."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/creators", query=query)

    async def get_project_import(self, project_id: str) -> ProjectImport:
        """Get the status of the import of a project; 404 for a project that was not imported."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/import")

    async def preview_masking(self, project_id: str, **fields: Unpack[PreviewMaskingBody]) -> MaskingPreview:
        """Show what masking does to an object. Nothing is stored."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/masking/preview", fields=fields, key=False)

    async def upsert_project_member(self, project_id: str, user_id: str, **fields: Unpack[UpsertProjectMemberBody]) -> Success:
        """Give a member a role in a project. Admins of the project only."""
        return await self._ask("PUT", f"/api/v2/projects/{quote(project_id)}/members/{quote(user_id)}", fields=fields)

    async def delete_project_member(self, project_id: str, user_id: str) -> Success:
        """Remove the role that a project gives a member. Admins of the project only."""
        return await self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}/members/{quote(user_id)}")

    async def preview_retention(self, project_id: str, **query: Unpack[PreviewRetentionQuery]) -> RetentionPreview:
        """Show what the next purge of a project would delete."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/retention/preview", query=query)

    async def get_search_index(self, project_id: str) -> SearchIndex:
        """Get how far a project's search index is."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/search-index")

    async def get_project_settings(self, project_id: str) -> ProjectSettings:
        """Get who sees a project, how long it keeps data, what it masks, and whether it is indexed."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/settings")

    async def update_project_settings(self, project_id: str, **fields: Unpack[UpdateProjectSettingsBody]) -> ProjectSettings:
        """Change the settings of a project. Admins of the project only. Changes the settings that the body names; masking is replaced whole, and holds for data that arrives from now on."""
        return await self._ask("PATCH", f"/api/v2/projects/{quote(project_id)}/settings", fields=fields)

    async def list_judge_models(self) -> JudgeModels:
        """List the models that can judge, by the lists of the providers, and the default model."""
        return await self._ask("GET", "/api/v2/judge-models")

    async def refresh_judge_models(self) -> JudgeModels:
        """Read the model lists of all providers now. Admins only."""
        return await self._ask("POST", "/api/v2/judge-models/refresh", key=False)

    async def get_prices(self) -> PriceTable:
        """Read the price table of the server, with its sources and their dates."""
        return await self._ask("GET", "/api/v2/prices")

    def list_model_endings(self, project_id: str, **query: Unpack[ListModelEndingsQuery]) -> AsyncPages[ListModelEndingsItem]:
        """List the models that judge in a project and end soon, the first to end first. Models that end within 60 days or have ended, as their providers announced."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/model-endings", query=query)

    def list_providers(self, **query: Unpack[ListProvidersQuery]) -> AsyncPages[Provider]:
        """List the organization's providers of models, oldest first."""
        return self._list("GET", "/api/v2/providers", query=query)

    async def create_provider(self, *, idempotency_key: str | None = None, **fields: Unpack[CreateProviderBody]) -> Provider:
        """Add a provider of models. Admins only."""
        return await self._ask("POST", "/api/v2/providers", fields=fields, key=idempotency_key)

    async def update_provider(self, provider_id: str, **fields: Unpack[UpdateProviderBody]) -> Provider:
        """Change a provider. A new base URL requires the secrets again. Admins only."""
        return await self._ask("PATCH", f"/api/v2/providers/{quote(provider_id)}", fields=fields)

    async def delete_provider(self, provider_id: str) -> Success:
        """Delete a provider with its key. Scores that need it fail with that reason. Admins only."""
        return await self._ask("DELETE", f"/api/v2/providers/{quote(provider_id)}")

    async def test_provider(self, provider_id: str, **fields: Unpack[TestProviderBody]) -> TestProviderAnswer:
        """Test a provider: one of its models judges a small record. Admins only."""
        return await self._ask("POST", f"/api/v2/providers/{quote(provider_id)}/test", fields=fields, key=False)

    def list_project_records(self, project_id: str, **query: Unpack[ListProjectRecordsQuery]) -> AsyncPages[RecordDetail]:
        """List the records of all runs of a project, newest first. Filters narrow the list."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/records", query=query)

    async def list_record_fields(self, project_id: str) -> RecordFields:
        """List the fields that records of a project have."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/fields")

    async def group_project_records(self, project_id: str, **query: Unpack[GroupProjectRecordsQuery]) -> ValueGroups:
        """Count the records of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its records."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/groups", query=query)

    async def get_record_histogram(self, project_id: str, **query: Unpack[GetRecordHistogramQuery]) -> RecordHistogram:
        """Count the records of a project over time. The filters are those of the list."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/records/histogram", query=query)

    async def get_record(self, record_id: str) -> RecordDetail:
        """Get a record with the state of each of its scores."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}")

    async def delete_record(self, record_id: str) -> Success:
        """Delete a record and its scores, tags and annotations."""
        return await self._ask("DELETE", f"/api/v2/records/{quote(record_id)}")

    def list_records(self, run_id: str, **query: Unpack[ListRecordsQuery]) -> AsyncPages[RecordWithScores]:
        """List the records of a run with all their scores, oldest first."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/records", query=query)

    async def create_record(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordBody]) -> Record:
        """Create a record in a run, with a pending score for each of its metrics."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/records", fields=fields, key=idempotency_key)

    async def create_records(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordsBody]) -> CreateRecordsAnswer:
        """Create up to 1,000 records in a run, all or none. From JSON, or from NDJSON with one record a line."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/records/bulk-create", fields=fields, key=idempotency_key)

    def list_review_disagreements(self, metric_id: str, **query: Unpack[ListReviewDisagreementsQuery]) -> AsyncPages[ReviewDisagreement]:
        """List the records of a metric on which reviewers disagree, oldest first."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/review-disagreements", query=query)

    async def assign_reviews(self, project_id: str, body: AssignReviewsBody, *, idempotency_key: str | None = None, **query: Unpack[AssignReviewsQuery]) -> AssignReviewsAnswer:
        """Assign the waiting records of the queues to people, in turn. An assigned record comes to these people first, and each has one of its reviews reserved. Records without an assigned user are for anyone. Repeat the request for more than 10,000 records."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/assign", query=query, body=body, key=idempotency_key)

    async def leave_reviews(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[LeaveReviewsQuery]) -> LeaveReviewsAnswer:
        """Give back records that are assigned to you and wait for your score. They are then for anyone. Your reviews stay."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/leave", query=query, key=idempotency_key)

    async def next_review(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[NextReviewQuery]) -> NextReviewAnswer:
        """Claim the next record to score for ten minutes. You claim it for every metric by which it waits for your score; with `metricId` for that one. A second call returns the same record and renews the claim."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/next", query=query, key=idempotency_key)

    async def get_review_progress(self, project_id: str, **query: Unpack[GetReviewProgressQuery]) -> GetReviewProgressAnswer:
        """Get the progress of reviews by queue and by person."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/reviews/progress", query=query)

    async def undo_review(self, project_id: str, *, idempotency_key: str | None = None, **query: Unpack[UndoReviewQuery]) -> NextReviewAnswer:
        """Undo your last review and claim its record again. Reviews that were submitted together are undone together; with `metricId` only the one by that metric. A second call undoes the review before."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/reviews/undo", query=query, key=idempotency_key)

    async def submit_reviews(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitReviewsBody]) -> SubmitReviewsAnswer:
        """Submit your scores of a record by several metrics, all or none. The record gets each score when all its reviewers have submitted theirs. `skip` names the metrics by which the record comes back to you after all others."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews", fields=fields, key=idempotency_key)

    async def list_reviews(self, record_id: str, metric_config_id: str) -> ListReviewsAnswer:
        """List the reviews of a record that you may see."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}")

    async def submit_review(self, record_id: str, metric_config_id: str, *, idempotency_key: str | None = None, **fields: Unpack[SubmitReviewBody]) -> SubmitReviewsAnswerDataItem:
        """Submit your score of a record. The record gets its score when all its reviewers have submitted."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}", fields=fields, key=idempotency_key)

    async def skip_review(self, record_id: str, metric_config_id: str, *, idempotency_key: str | None = None) -> SkipReviewAnswer:
        """Skip a record. It comes back to you after all others."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/reviews/{quote(metric_config_id)}/skip", key=idempotency_key)

    def list_sampled_records(self, review_sample_id: str, **query: Unpack[ListSampledRecordsQuery]) -> AsyncPages[SampledRecord]:
        """List the records of a review sample with their inclusion probabilities, oldest first."""
        return self._list("GET", f"/api/v2/review-samples/{quote(review_sample_id)}/records", query=query)

    def list_review_samples(self, run_id: str, **query: Unpack[ListReviewSamplesQuery]) -> AsyncPages[ReviewSample]:
        """List the review samples of a run with their strata, oldest first."""
        return self._list("GET", f"/api/v2/runs/{quote(run_id)}/review-samples", query=query)

    async def create_review_sample(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateReviewSampleBody]) -> ReviewSample:
        """Fill the queue of a human metric with a random sample of a run, or extend that sample."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/review-samples", fields=fields, key=idempotency_key)

    def list_run_details(self, project_id: str, **query: Unpack[ListRunDetailsQuery]) -> AsyncPages[ListedRun]:
        """List the runs of a project with their names, tags and marks, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/run-details", query=query)

    def list_runs(self, project_id: str, **query: Unpack[ListRunsQuery]) -> AsyncPages[Run]:
        """List the runs of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/runs", query=query)

    async def create_run(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRunBody]) -> Run:
        """Start a run. It scores with the current configurations of its metrics."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/runs", fields=fields, key=idempotency_key)

    async def estimate_run(self, project_id: str, **fields: Unpack[EstimateRunBody]) -> RunCostEstimate:
        """Estimate the cost of the judges of a run before it starts. Nothing is written."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/runs/estimate", fields=fields, key=False)

    async def group_project_runs(self, project_id: str, **query: Unpack[GroupProjectRunsQuery]) -> ValueGroups:
        """Count the runs of a project by the value of a field. The filters are those of the list. Each group has the filter that finds its runs. With `rateOf`, it has the pass rate over their records, of the newest 100,000 of the project."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/runs/groups", query=query)

    async def get_run(self, run_id: str) -> Run:
        """Get a run with its counts and its status."""
        return await self._ask("GET", f"/api/v2/runs/{quote(run_id)}")

    async def delete_run(self, run_id: str) -> Success:
        """Delete a run and its records, with their scores, tags and annotations. This cannot be undone."""
        return await self._ask("DELETE", f"/api/v2/runs/{quote(run_id)}")

    async def cancel_run(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CancelRunBody]) -> CancelRunAnswer:
        """Cancel the pending work of a run, or a part of it. Calls of its system, scores and proposals. Results stay; a retry queues the work again."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/cancel", fields=fields, key=idempotency_key)

    async def get_run_details(self, run_id: str) -> RunDetail:
        """Get a run with its notes, progress, calls of the system and judge budget. With `Accept: text/event-stream`, its progress comes until no work is pending."""
        return await self._ask("GET", f"/api/v2/runs/{quote(run_id)}/details")

    async def update_run_details(self, run_id: str, **fields: Unpack[UpdateRunDetailsBody]) -> RunDetail:
        """Change the name, tags, marks, notes or judge budget of a run."""
        return await self._ask("PATCH", f"/api/v2/runs/{quote(run_id)}/details", fields=fields)

    async def add_run_metrics(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[AddRunMetricsBody]) -> Run:
        """Add metrics to a run with their current configurations. They score its present and future records."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/metrics", fields=fields, key=idempotency_key)

    async def retry_run(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[RetryRunBody]) -> CancelRunAnswer:
        """Retry the work of a run that failed or was cancelled, or a part of it. Calls of its system, scores, and proposals of open rescorings. Work that could not be scored is retried too; existing results stay."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/retry", fields=fields, key=idempotency_key)

    async def upsert_run_verdict(self, run_id: str, gate: str, **fields: Unpack[UpsertRunVerdictBody]) -> RunVerdict:
        """Store what a gate decided about a run, in place of its earlier verdict."""
        return await self._ask("PUT", f"/api/v2/runs/{quote(run_id)}/verdicts/{quote(gate)}", fields=fields)

    async def list_schedules(self, project_id: str) -> ListSchedulesAnswer:
        """List the schedules of a project, oldest first. There are at most 50."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/schedules")

    async def create_schedule(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateScheduleBody]) -> Schedule:
        """Start a run or a drift trial at the times of a cron expression."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/schedules", fields=fields, key=idempotency_key)

    async def update_schedule(self, schedule_id: str, **fields: Unpack[UpdateScheduleBody]) -> Schedule:
        """Change, pause or resume a schedule, or make it due at once."""
        return await self._ask("PATCH", f"/api/v2/schedules/{quote(schedule_id)}", fields=fields)

    async def delete_schedule(self, schedule_id: str) -> Success:
        """Delete a schedule. The runs that it started stay."""
        return await self._ask("DELETE", f"/api/v2/schedules/{quote(schedule_id)}")

    async def get_score(self, record_id: str, metric_config_id: str) -> ScoreDetail:
        """Get a score in any state, with its evidence and the scores it replaced."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}")

    async def upsert_score(self, record_id: str, metric_config_id: str, **fields: Unpack[UpsertScoreBody]) -> Score:
        """Store a score. Without a score in the body, the record is queued for people."""
        return await self._ask("PUT", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}", fields=fields)

    async def get_span_score(self, record_id: str, metric_config_id: str, span_id: str, **query: Unpack[GetSpanScoreQuery]) -> SpanScoreDetail:
        """Get the score of a span, with its evidence and the verdicts that it replaced."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}/spans/{quote(span_id)}", query=query)

    async def upsert_span_score(self, record_id: str, metric_config_id: str, span_id: str, **fields: Unpack[UpsertSpanScoreBody]) -> SpanScoreDetail:
        """Store a score of a span. The metric must score spans, and its search must choose this one. The score of the record is computed again."""
        return await self._ask("PUT", f"/api/v2/records/{quote(record_id)}/scores/{quote(metric_config_id)}/spans/{quote(span_id)}", fields=fields)

    async def list_span_scores(self, record_id: str) -> ListSpanScoresAnswer:
        """List the scores of the spans of a record, and the spans that people can score. Metrics with a search of spans give them. The score of the record is the lowest of its spans."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/span-scores")

    async def upsert_scores(self, run_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertScoresBody]) -> UpsertScoresAnswer:
        """Store many scores of a run, all or none. An item with a reason in place of a score marks its record as unscored, for example because the grader failed. The run then no longer waits for that score."""
        return await self._ask("POST", f"/api/v2/runs/{quote(run_id)}/scores/bulk-upsert", fields=fields, key=idempotency_key)

    async def update_password(self, **fields: Unpack[UpdatePasswordBody]) -> Success:
        """Change your password. It also changes in your other organizations where it is the same. Your other sessions end."""
        return await self._ask("PUT", "/api/v2/me/password", fields=fields)

    async def create_sign_in_link(self, user_id: str) -> SignInLink:
        """Create a link with which the member chooses a password. It works once. Admins only."""
        return await self._ask("POST", f"/api/v2/members/{quote(user_id)}/sign-in-links", key=False)

    async def get_sign_in_link(self, **fields: Unpack[GetSignInLinkBody]) -> SignInLinkTarget:
        """Get the member that a sign-in link is for. It is a POST, so that no log contains the token."""
        return await self._ask("POST", "/api/v2/sign-in-links/find", fields=fields, key=False)

    async def redeem_sign_in_link(self, **fields: Unpack[RedeemSignInLinkBody]) -> SignIn:
        """Sign in with a sign-in link. The link works once. It needs a new password, unless it asks a person who came by single sign-on."""
        return await self._ask("POST", "/api/v2/sign-in-links/redeem", fields=fields, key=False)

    async def get_sign_in_options(self) -> SignInOptions:
        """Get the ways to sign in."""
        return await self._ask("GET", "/api/v2/sign-in-options")

    async def sign_in(self, **fields: Unpack[SignInBody]) -> SignIn:
        """Sign in with e-mail address and password. The answer sets the session cookie."""
        return await self._ask("POST", "/api/v2/sign-ins", fields=fields, key=False)

    async def sign_out(self) -> Success:
        """End the session of this request."""
        return await self._ask("DELETE", "/api/v2/sign-ins/current")

    async def switch_organization(self, **fields: Unpack[SwitchOrganizationBody]) -> SignIn:
        """Switch to another organization of yours. The answer sets the cookie of a new session."""
        return await self._ask("PUT", "/api/v2/sign-ins/current/organization", fields=fields)

    async def get_single_sign_on(self) -> SingleSignOn:
        """Get how single sign-on is set. The operator sets it in the environment of the service. Admins only."""
        return await self._ask("GET", "/api/v2/single-sign-on")

    async def simulate_user(self, system_version_id: str, **fields: Unpack[SimulateUserBody]) -> SimulateUserAnswer:
        """Simulate a user of a conversation. A system version whose config is a prompt writes the next message."""
        return await self._ask("POST", f"/api/v2/agents/{quote(system_version_id)}/simulate", fields=fields, key=False)

    def list_systems(self, project_id: str, **query: Unpack[ListSystemsQuery]) -> AsyncPages[System]:
        """List the systems of a project, oldest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/systems", query=query)

    async def upsert_system(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertSystemBody]) -> System:
        """Create a system, or add a production version to the one with this name. The configuration becomes the new production version."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/systems", fields=fields, key=idempotency_key)

    async def try_system(self, project_id: str, **fields: Unpack[TrySystemBody]) -> TrySystemAnswer:
        """Send one testcase, or inputs, to a system before a run starts. Nothing is written. With `Accept: text/event-stream`, the text of a prompt comes while the model writes it. With `simulation`, a simulated user talks to the system, and each message comes as it is said; `outputs` has the conversation."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/systems/try", fields=fields, key=False)

    async def get_labelled_version(self, project_id: str, system_name: str, label: str) -> SystemVersionDetails:
        """Get the version that a label points to, as a prompt by its name. Labels are production, latest, or a label of the team."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/systems/{quote(system_name)}/versions/{quote(label)}")

    async def get_system_version(self, system_version_id: str) -> SystemVersion:
        """Get one version of a system with its configuration."""
        return await self._ask("GET", f"/api/v2/systems/versions/{quote(system_version_id)}")

    async def get_system(self, system_id: str) -> System:
        """Get a system with the names of its versions."""
        return await self._ask("GET", f"/api/v2/systems/{quote(system_id)}")

    async def update_system(self, system_id: str, **fields: Unpack[UpdateSystemBody]) -> System:
        """Change the name, the description or the production version of a system."""
        return await self._ask("PATCH", f"/api/v2/systems/{quote(system_id)}", fields=fields)

    async def delete_system(self, system_id: str) -> Success:
        """Delete a system. Its versions stay readable for the runs that used them."""
        return await self._ask("DELETE", f"/api/v2/systems/{quote(system_id)}")

    async def upsert_system_label(self, system_id: str, label: str, **fields: Unpack[UpsertSystemLabelBody]) -> SystemVersionDetails:
        """Point a label to a version of the system. production is the production version."""
        return await self._ask("PUT", f"/api/v2/systems/{quote(system_id)}/labels/{quote(label)}", fields=fields)

    async def delete_system_label(self, system_id: str, label: str) -> Success:
        """Remove a label of a system. Clients that ask for it then get 404."""
        return await self._ask("DELETE", f"/api/v2/systems/{quote(system_id)}/labels/{quote(label)}")

    def list_system_versions(self, system_id: str, **query: Unpack[ListSystemVersionsQuery]) -> AsyncPages[SystemVersionDetails]:
        """List the versions of a system with their labels and notes, newest first."""
        return self._list("GET", f"/api/v2/systems/{quote(system_id)}/versions", query=query)

    async def upsert_system_version(self, system_id: str, *, idempotency_key: str | None = None, **fields: Unpack[UpsertSystemVersionBody]) -> SystemVersion:
        """Add a configuration as a version, or rename the version that has it. The production version stays the same."""
        return await self._ask("POST", f"/api/v2/systems/{quote(system_id)}/versions", fields=fields, key=idempotency_key)

    def list_project_tags(self, project_id: str, **query: Unpack[ListProjectTagsQuery]) -> AsyncPages[ProjectTag]:
        """List the tags of a project, most used first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/tags", query=query)

    async def list_record_tags(self, record_id: str) -> ListRecordTagsAnswer:
        """List the tags of a record, oldest first."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/tags")

    async def create_record_tag(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateRecordTagBody]) -> RecordTag:
        """Add a tag to a record. An existing tag is returned unchanged."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/tags", fields=fields, key=idempotency_key)

    async def delete_record_tag(self, record_id: str, text: str) -> DeleteRecordTagAnswer:
        """Remove a tag from a record. It is not an error if the record does not have it."""
        return await self._ask("DELETE", f"/api/v2/records/{quote(record_id)}/tags/{quote(text)}")

    def list_testset_details(self, project_id: str, **query: Unpack[ListTestsetDetailsQuery]) -> AsyncPages[ListedTestset]:
        """List the testsets of a project with the number of their testcases, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/testset-details", query=query)

    def list_testsets(self, project_id: str, **query: Unpack[ListTestsetsQuery]) -> AsyncPages[Testset]:
        """List the testsets of a project, newest first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/testsets", query=query)

    async def create_testset(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestsetBody]) -> Testset:
        """Create a testset with the schema of its testcases and the meaning of their fields."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/testsets", fields=fields, key=idempotency_key)

    async def create_testcase_from_record(self, record_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestcaseFromRecordBody]) -> Testcase:
        """Create a testcase from a record: its inputs, and its outputs as the expected output."""
        return await self._ask("POST", f"/api/v2/records/{quote(record_id)}/testcase", fields=fields, key=idempotency_key)

    async def get_seal(self, seal_id: str) -> Seal:
        """Get a sealed split: its counts, its figures and its budget."""
        return await self._ask("GET", f"/api/v2/seals/{quote(seal_id)}")

    def list_sealed_looks(self, seal_id: str, **query: Unpack[ListSealedLooksQuery]) -> AsyncPages[SealedLook]:
        """List the looks at a sealed split, newest first."""
        return self._list("GET", f"/api/v2/seals/{quote(seal_id)}/looks", query=query)

    async def create_sealed_look(self, seal_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSealedLookBody]) -> SealedLook:
        """Look at a version: call it with the sealed testcases, and compare it with the baseline. Takes one look of the budget. The answer comes when the calls and scores are made: read the list of looks. A version that was looked at has its former answer."""
        return await self._ask("POST", f"/api/v2/seals/{quote(seal_id)}/looks", fields=fields, key=idempotency_key)

    async def open_seal(self, seal_id: str, *, idempotency_key: str | None = None) -> Seal:
        """Open a sealed split before its looks are spent. Without a look, its testcases return to the testset as they were. After a look, they get the split of the seal, and its runs become a project."""
        return await self._ask("POST", f"/api/v2/seals/{quote(seal_id)}/open", key=idempotency_key)

    async def delete_testcases(self, *, idempotency_key: str | None = None, **fields: Unpack[DeleteTestcasesBody]) -> Success:
        """Delete testcases by their ids, all or none."""
        return await self._ask("POST", "/api/v2/testcases/bulk-delete", fields=fields, key=idempotency_key)

    async def get_testcase(self, testcase_id: str) -> Testcase:
        """Get a testcase."""
        return await self._ask("GET", f"/api/v2/testcases/{quote(testcase_id)}")

    async def update_testcase(self, testcase_id: str, **fields: Unpack[UpdateTestcaseBody]) -> Testcase:
        """Replace the data of a testcase. Records keep the revision that they were created from."""
        return await self._ask("PUT", f"/api/v2/testcases/{quote(testcase_id)}", fields=fields)

    async def get_testset(self, testset_id: str) -> Testset:
        """Get a testset."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}")

    async def update_testset(self, testset_id: str, **fields: Unpack[UpdateTestsetBody]) -> Testset:
        """Change a testset. Its testcases keep the validation errors of the schema at the time they were written."""
        return await self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}", fields=fields)

    async def delete_testset(self, testset_id: str) -> Success:
        """Delete a testset and its testcases. Their records stay."""
        return await self._ask("DELETE", f"/api/v2/testsets/{quote(testset_id)}")

    async def get_testset_counts(self, testset_id: str) -> TestsetCounts:
        """Get the numbers of testcases of a testset, of its splits and of its tags."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/counts")

    async def draft_testcases(self, testset_id: str, **fields: Unpack[DraftTestcasesBody]) -> TestcaseDrafts:
        """Let a model draft testcases for review. From a description, the testcases that exist, or records. Near-duplicates are marked. Nothing is written."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/drafts", fields=fields, key=False)

    def list_fresh_testcases(self, testset_id: str, **query: Unpack[ListFreshTestcasesQuery]) -> AsyncPages[FreshTestcase]:
        """List the fresh testcases of a testset, newest first. Those that wait, and those that a run took, with the run."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases", query=query)

    async def create_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateFreshTestcasesBody]) -> FreshTestcasesCreated:
        """Add 1 to 100 fresh testcases, all or none. They wait outside of the testset, unseen by runs, until a run takes them (`fresh`)."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/bulk-create", fields=fields, key=idempotency_key)

    async def delete_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[DeleteFreshTestcasesBody]) -> Success:
        """Delete fresh testcases that wait, all or none."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/bulk-delete", fields=fields, key=idempotency_key)

    async def draw_fresh_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[DrawFreshTestcasesBody]) -> FreshDraw:
        """Draw fresh testcases from the traffic of the project, or preview the draw. Each record of the traffic has the same chance, and is drawn once. A testcase has the fields of the record that the testset has too."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/fresh-testcases/draw", fields=fields, key=idempotency_key)

    def list_seals(self, testset_id: str, **query: Unpack[ListSealsQuery]) -> AsyncPages[Seal]:
        """List the sealed splits of a testset, newest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/seals", query=query)

    async def create_seal(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSealBody]) -> Seal:
        """Seal testcases of a testset: no one reads them until their looks are spent. Their texts leave the testset and its snapshots. Only counts and the answers of looks are shown, to no member, admin, agent or judge page more. Records of earlier runs stay as they are; `numSeen` counts the testcases that have some."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/seals", fields=fields, key=idempotency_key)

    async def get_testset_settings(self, testset_id: str) -> TestsetSettings:
        """Get how the testcases of a testset are grouped and split."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/settings")

    async def update_testset_settings(self, testset_id: str, **fields: Unpack[UpdateTestsetSettingsBody]) -> TestsetSettings:
        """Choose how the testcases of a testset are grouped and split. Intervals are then based on the groups."""
        return await self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/settings", fields=fields)

    def list_snapshots(self, testset_id: str, **query: Unpack[ListSnapshotsQuery]) -> AsyncPages[Snapshot]:
        """List the snapshots of a testset, newest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots", query=query)

    async def create_snapshot(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateSnapshotBody]) -> Snapshot:
        """Make a snapshot of a testset as it is now, or name the one that exists. No testcase is copied. A run makes a snapshot of its testset when it starts, so none has to be made for it."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/snapshots", fields=fields, key=idempotency_key)

    async def get_snapshot(self, testset_id: str, snapshot_number: str) -> Snapshot:
        """Get a snapshot of a testset."""
        return await self._ask("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}")

    async def update_snapshot(self, testset_id: str, snapshot_number: str, **fields: Unpack[UpdateSnapshotBody]) -> Snapshot:
        """Change the name of a snapshot."""
        return await self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}", fields=fields)

    def list_snapshot_differences(self, testset_id: str, snapshot_number: str, **query: Unpack[ListSnapshotDifferencesQuery]) -> AsyncPages[TestcaseDifference]:
        """List the testcases that differ between two snapshots of a testset. Without the second, between the snapshot and the testset as it is now."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}/differences", query=query)

    async def restore_snapshot(self, testset_id: str, snapshot_number: str, *, idempotency_key: str | None = None) -> SnapshotRestored:
        """Make the testcases of a testset what they were in a snapshot. The testset as it is gets a snapshot first, so restoring can be undone. A testcase gets back its revision too: results of then and of now compare again."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/snapshots/{quote(snapshot_number)}/restore", key=idempotency_key)

    def list_testcases(self, testset_id: str, **query: Unpack[ListTestcasesQuery]) -> AsyncPages[Testcase]:
        """List the testcases of a testset, oldest first."""
        return self._list("GET", f"/api/v2/testsets/{quote(testset_id)}/testcases", query=query)

    async def create_testcases(self, testset_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTestcasesBody]) -> CreateTestcasesAnswer:
        """Add 1 to 100 testcases to a testset, all or none."""
        return await self._ask("POST", f"/api/v2/testsets/{quote(testset_id)}/testcases", fields=fields, key=idempotency_key)

    async def update_testcase_marks(self, testset_id: str, **fields: Unpack[UpdateTestcaseMarksBody]) -> TestcasesMarked:
        """Set the split and the tags of the testcases that fit. Without ids, search and share, of all testcases. A share is drawn by groups, so that no group is in two splits."""
        return await self._ask("PATCH", f"/api/v2/testsets/{quote(testset_id)}/testcases", fields=fields)

    def list_trace_sessions(self, project_id: str, **query: Unpack[ListTraceSessionsQuery]) -> AsyncPages[TraceSession]:
        """List the sessions that the traces of a project name, the one with the latest trace first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/sessions", query=query)

    def list_spans(self, project_id: str, **query: Unpack[ListSpansQuery]) -> AsyncPages[Span]:
        """Search the spans of a project, latest start first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/spans", query=query)

    def list_traces(self, project_id: str, **query: Unpack[ListTracesQuery]) -> AsyncPages[Trace]:
        """List the traces of a project, latest start first. A search narrows the list and sorts it."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/traces", query=query)

    async def group_project_traces(self, project_id: str, **query: Unpack[GroupProjectTracesQuery]) -> ValueGroups:
        """Count the traces of a project by the value of a field. The search is that of the list. Each group has the filter that finds its traces."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/groups", query=query)

    async def get_trace(self, project_id: str, trace_id: str) -> Trace:
        """Get a trace with its sums and the scores of its record."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}")

    async def delete_trace(self, project_id: str, trace_id: str) -> Success:
        """Delete a trace and its spans. A record that was created from this trace alone is deleted too, unless someone has reviewed, annotated or scored it."""
        return await self._ask("DELETE", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}")

    async def get_trace_conversation(self, project_id: str, trace_id: str, **query: Unpack[GetTraceConversationQuery]) -> GetTraceConversationAnswer:
        """Get the conversation of a trace, from the spans of its models, tools and agents."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/conversation", query=query)

    async def list_trace_spans(self, project_id: str, trace_id: str, **query: Unpack[ListTraceSpansQuery]) -> ListTraceSpansAnswer:
        """List the spans of a trace as a tree: the first 10,000 by start."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/spans", query=query)

    async def get_span(self, project_id: str, trace_id: str, span_id: str) -> SpanDetail:
        """Get a span with all its data."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/traces/{quote(trace_id)}/spans/{quote(span_id)}")

    def list_trace_users(self, project_id: str, **query: Unpack[ListTraceUsersQuery]) -> AsyncPages[TraceUser]:
        """List the users that the traces of a project name, the one with the latest trace first."""
        return self._list("GET", f"/api/v2/projects/{quote(project_id)}/users", query=query)

    async def get_record_conversation(self, record_id: str, **query: Unpack[GetRecordConversationQuery]) -> GetTraceConversationAnswer:
        """Get the conversation of a record, from the spans of its models, tools and agents."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/conversation", query=query)

    async def list_record_spans(self, record_id: str, **query: Unpack[ListRecordSpansQuery]) -> ListTraceSpansAnswer:
        """List the spans of a record as a tree: the first 10,000 by start."""
        return await self._ask("GET", f"/api/v2/records/{quote(record_id)}/spans", query=query)

    async def get_pinned_set(self, metric_id: str) -> PinnedSet:
        """Get the pinned set of a metric."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/pinned-set")

    async def upsert_pinned_set(self, metric_id: str, **fields: Unpack[UpsertPinnedSetBody]) -> PinnedSet:
        """Pin labelled records, on which judges are then tried. The judge's verdicts on them are the reference of later trials."""
        return await self._ask("PUT", f"/api/v2/metrics/{quote(metric_id)}/pinned-set", fields=fields)

    async def delete_pinned_set(self, metric_id: str) -> Success:
        """Delete the pinned set of a metric. The runs of its trials stay."""
        return await self._ask("DELETE", f"/api/v2/metrics/{quote(metric_id)}/pinned-set")

    @overload
    async def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields1]) -> Trial: ...

    @overload
    async def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields2]) -> Trial: ...

    @overload
    async def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields3]) -> Trial: ...

    @overload
    async def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields4]) -> Trial: ...

    @overload
    async def create_trial(self, metric_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateTrialFields5]) -> Trial: ...

    @overload
    async def create_trial(self, metric_id: str, body: CreateTrialBody1 | CreateTrialBody2 | CreateTrialBody3 | CreateTrialBody4 | CreateTrialBody5, *, idempotency_key: str | None = None) -> Trial: ...

    async def create_trial(self, metric_id: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Trial:
        """Start a trial: configurations of a metric decide records beside its judge. Stored scores stay. A drift trial tries the judge in use on the pinned records. A succession tries other models or prompts on them. An alignment makes prompts from labels on which the judge and people disagree, and tries them on other labels; or it tries prompts that a person wrote, on labels for tuning or on labels that are kept for the check. A battery edits the pinned records without changing the truth about them, and counts the verdicts that change. A rescoring tries a configuration on a run that the metric scores; a sample can go first."""
        return await self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials", fields=fields if body is None else None, body=body, key=idempotency_key)

    @overload
    async def estimate_trial(self, metric_id: str, **fields: Unpack[EstimateTrialFields1]) -> TrialEstimate: ...

    @overload
    async def estimate_trial(self, metric_id: str, **fields: Unpack[EstimateTrialFields2]) -> TrialEstimate: ...

    @overload
    async def estimate_trial(self, metric_id: str, body: CreateTrialBody4 | CreateTrialBody3) -> TrialEstimate: ...

    async def estimate_trial(self, metric_id: str, body: Any = None, **fields: Any) -> TrialEstimate:
        """Estimate the verdicts and the cost of a trial before it starts. Nothing is written. For a battery: which biases the pinned records can show. For an alignment of prompts that a person wrote: how far people agree with the prompt as it is saved."""
        return await self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/estimate", fields=fields if body is None else None, body=body)

    async def get_trial(self, metric_id: str, trial_number: str, **query: Unpack[GetTrialQuery]) -> Trial:
        """Get a trial with its verdicts, its progress and its cost. Each candidate has its drift or equivalence, agreement, cost and latency. A rescoring has the number of scores that change, its cost so far and an estimate of the rest."""
        return await self._ask("GET", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}", query=query)

    def list_trial_changes(self, metric_id: str, trial_number: str, **query: Unpack[ListTrialChangesQuery]) -> AsyncPages[TrialChange]:
        """List the records of a rescoring or an alignment with both verdicts. For a rescoring: the score and the proposed one. For an alignment of written prompts on labels for tuning: the verdicts of people, of the saved and of the edited prompt. Labels that are kept for the check are not listed: 409. Other trials: 404."""
        return self._list("GET", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/changes", query=query)

    @overload
    async def decide_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None, **fields: Unpack[DecideTrialFields1]) -> Trial: ...

    @overload
    async def decide_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None, **fields: Unpack[DecideTrialFields2]) -> Trial: ...

    @overload
    async def decide_trial(self, metric_id: str, trial_number: str, body: DecideTrialBody1 | DecideTrialBody2, *, idempotency_key: str | None = None) -> Trial: ...

    async def decide_trial(self, metric_id: str, trial_number: str, body: Any = None, *, idempotency_key: str | None = None, **fields: Any) -> Trial:
        """Adopt a candidate or the proposals of a trial, or discard the trial."""
        return await self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/decide", fields=fields if body is None else None, body=body, key=idempotency_key)

    async def extend_trial(self, metric_id: str, trial_number: str, *, idempotency_key: str | None = None) -> Trial:
        """Extend a rescoring from the sample to every record. Records that were added to the run since then are included. Other trials have no sample: 404."""
        return await self._ask("POST", f"/api/v2/metrics/{quote(metric_id)}/trials/{quote(trial_number)}/extend", key=idempotency_key)

    def list_trials(self, **query: Unpack[ListTrialsQuery]) -> AsyncPages[Trial]:
        """List the trials of a metric or of a run with their verdicts, newest first. The query names a metric, a run or both."""
        return self._list("GET", "/api/v2/trials", query=query)

    async def list_views(self, project_id: str) -> ListViewsAnswer:
        """List the saved views of a project by name: your own and the shared ones."""
        return await self._ask("GET", f"/api/v2/projects/{quote(project_id)}/views")

    async def create_view(self, project_id: str, *, idempotency_key: str | None = None, **fields: Unpack[CreateViewBody]) -> SavedView:
        """Save a search of a project's records under a name, with its display settings."""
        return await self._ask("POST", f"/api/v2/projects/{quote(project_id)}/views", fields=fields, key=idempotency_key)

    async def update_view(self, view_id: str, **fields: Unpack[UpdateViewBody]) -> SavedView:
        """Change a saved view. Only its author may do this or, if it is shared, an admin."""
        return await self._ask("PATCH", f"/api/v2/views/{quote(view_id)}", fields=fields)

    async def delete_view(self, view_id: str) -> Success:
        """Delete a saved view. Only its author may do this or, if it is shared, an admin."""
        return await self._ask("DELETE", f"/api/v2/views/{quote(view_id)}")
