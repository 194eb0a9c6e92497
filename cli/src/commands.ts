import type { Command } from './command.ts';
import { metricAgreement } from './commands/agreement.ts';
import { apply } from './commands/apply.ts';
import { auditVerify } from './commands/audit.ts';
import { compare } from './commands/compare.ts';
import { completionOf } from './commands/completion.ts';
import { decisionExport, decisionRegister, decisionWaive } from './commands/decision.ts';
import { doctor } from './commands/doctor.ts';
import { drift } from './commands/drift.ts';
import { evalCommand } from './commands/eval.ts';
import { testsetExamine } from './commands/examine.ts';
import { exportCommand } from './commands/export.ts';
import { find } from './commands/find.ts';
import { gate } from './commands/gate.ts';
import { importCommand } from './commands/import.ts';
import { judgeBattery, judgeKey, judgePassport, judgeVerify } from './commands/judge.ts';
import { judgeTry } from './commands/judge-try.ts';
import { lift } from './commands/lift.ts';
import { metricList, projectList, runList, testsetList } from './commands/lists.ts';
import { login } from './commands/login.ts';
import { mcp } from './commands/mcp.ts';
import { metricPeople, metricPull, metricPush } from './commands/metric.ts';
import { metricCriteria } from './commands/metric-criteria.ts';
import { newCommand } from './commands/new.ts';
import { open } from './commands/open.ts';
import { organizationCreate, organizationLink, organizationList } from './commands/organization.ts';
import { plan } from './commands/plan.ts';
import { policy } from './commands/policy.ts';
import { preferencesCreate, preferencesList, preferencesResult } from './commands/preferences.ts';
import { projectCreate } from './commands/project.ts';
import { push } from './commands/push.ts';
import { records } from './commands/records.ts';
import { rescore } from './commands/rescore.ts';
import { reviewAssign, reviewList } from './commands/review.ts';
import { run } from './commands/run.ts';
import {
  scheduleCreate,
  scheduleDelete,
  scheduleList,
  schedulePause,
  scheduleResume,
  scheduleRun,
} from './commands/schedule.ts';
import { score } from './commands/score.ts';
import { series } from './commands/series.ts';
import { backup, examine, restore, serve, worker } from './commands/serve.ts';
import { simulate } from './commands/simulate.ts';
import { skill } from './commands/skill.ts';
import { spans } from './commands/spans.ts';
import { succession } from './commands/succession.ts';
import { summary } from './commands/summary.ts';
import { testsetPull, testsetPush } from './commands/testset.ts';
import {
  testsetDiff,
  testsetHistory,
  testsetMark,
  testsetRestore,
  testsetSnapshot,
} from './commands/testset-history.ts';
import { testsetLooks } from './commands/testset-looks.ts';
import { testsetOpen, testsetSeal, testsetSeals } from './commands/testset-seal.ts';
import { trends } from './commands/trends.ts';
import { tryCommand } from './commands/try.ts';
import { verify } from './commands/verify.ts';
import { watch } from './commands/watch.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  worker,
  backup,
  restore,
  examine,
  login,
  doctor,
  projectCreate,
  projectList,
  run,
  runList,
  simulate,
  watch,
  score,
  rescore,
  records,
  summary,
  find,
  spans,
  compare,
  plan,
  trends,
  series,
  preferencesList,
  preferencesCreate,
  preferencesResult,
  gate,
  policy,
  drift,
  judgeBattery,
  judgePassport,
  judgeKey,
  judgeVerify,
  judgeTry,
  succession,
  reviewList,
  reviewAssign,
  scheduleList,
  scheduleCreate,
  scheduleRun,
  schedulePause,
  scheduleResume,
  scheduleDelete,
  testsetList,
  testsetPull,
  testsetPush,
  testsetExamine,
  decisionRegister,
  decisionWaive,
  decisionExport,
  verify,
  testsetHistory,
  testsetLooks,
  testsetSeal,
  testsetSeals,
  testsetOpen,
  testsetSnapshot,
  testsetDiff,
  testsetRestore,
  testsetMark,
  metricList,
  metricPull,
  metricPush,
  metricPeople,
  metricCriteria,
  metricAgreement,
  tryCommand,
  evalCommand,
  lift,
  push,
  apply,
  newCommand,
  open,
  importCommand,
  exportCommand,
  organizationCreate,
  organizationList,
  organizationLink,
  auditVerify,
  mcp,
  skill,
  completionOf(() => commands),
];
