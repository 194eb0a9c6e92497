import { expect, it } from 'vitest';
import type { Alert, Monitor, Schedule } from '../../types.ts';
import { headlineOf, todosOfAlert, todosOfMonitor, todosOfSchedule } from './what-to-do.ts';

const passRate = { estimate: 0.75, n: 40, interval: { low: 0.6, high: 0.86 } };
const states = { scored: 40, pending: 0, unscored: 0, failed: 0 };
const metric = { metricId: '7', metricName: 'Right', metricConfigId: '', states, passRate };
const monitorOf = (change: object = {}, of: object = {}) =>
  ({
    id: 'm',
    projectId: '1',
    paused: false,
    ...change,
    results: { numRecords: 40, numDrawn: 40, since: '', metrics: [{ ...metric, ...of }] },
  }) as unknown as Monitor;
const alertOf = (change: object = {}) =>
  ({
    events: ['monitor.worse'],
    minPassRate: 0.8,
    paused: false,
    addresses: [],
    ...change,
  }) as unknown as Alert;
const scheduleOf = (change: object = {}) =>
  ({
    projectId: '1',
    paused: false,
    lastAt: null,
    lastRunId: null,
    lastError: null,
    nextAt: 'soon',
    ...change,
  }) as unknown as Schedule;

const said = (todos: ReturnType<typeof todosOfMonitor>) =>
  todos.map(({ text, urgent }) => (urgent ? `! ${text}` : text));

it('a monitor says to read its failures; it is urgent only if the whole interval is below what an active alert accepts', () => {
  expect(said(todosOfMonitor(monitorOf(), [alertOf()]))).toEqual(['Read 10 failures of Right']);
  expect(said(todosOfMonitor(monitorOf(), [alertOf({ minPassRate: 0.9 })]))).toEqual([
    '! Read 10 failures of Right',
  ]);
  expect(said(todosOfMonitor(monitorOf(), [alertOf({ minPassRate: 0.9, paused: true })]))).toEqual([
    'Read 10 failures of Right',
    'Create an alert: no one gets a message yet',
  ]);
  // What could not be scored comes before what did not pass.
  const failed = monitorOf({}, { states: { ...states, failed: 1 } });
  expect(said(todosOfMonitor(failed, [alertOf()]))).toEqual(['! See why 1 score by Right failed']);
});

it('the headline counts checks, and the rows that need a look', () => {
  expect(headlineOf({ monitors: [], schedules: [], alerts: [] })).toBe('Nothing watches this project yet.');
  expect(said(todosOfSchedule(scheduleOf({ lastAt: 'x', lastError: 'no system' })))).toEqual([
    '! Mend what it starts: nothing ran',
  ]);
  expect(said(todosOfAlert(alertOf({ lastDelivery: { state: 'failed' } })))).toEqual([
    '! Open its log: nothing arrived',
  ]);
  const told = alertOf({ lastDelivery: { state: 'delivered' } });
  const checks = { monitors: [monitorOf()], schedules: [scheduleOf()], alerts: [told] };
  expect(headlineOf(checks)).toBe('2 checks watch this project, and none needs a look.');
  expect(headlineOf({ ...checks, schedules: [scheduleOf({ paused: true })] })).toBe(
    '2 checks watch this project. One thing needs a look.',
  );
});
