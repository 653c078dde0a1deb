import * as z from 'zod'
import { changeRequest, creationRequest } from '#shared/contracts/schedule-requests.ts'
import { maxSchedulePromptCharacters, maxScheduleWrites } from '#shared/limits.ts'
import { zodParameters, type Tool, type ToolParameters } from '../../tools/calls/tool.ts'
import type { OpenedReply, ReplyDeps } from '../reply.ts'
import type { ScheduleCalls, ScheduleCallDeps } from './schedule-calls.ts'

// the chat loads this file with the first reply that may change schedules, and the code of calls with the first call

/** Flat, and of texts: what models write is read by `readRule`. */
const ruleParameter = z.object({
  kind: z.enum(['once', 'hourly', 'daily', 'weekly', 'monthly']),
  at: z
    .string()
    .optional()
    .describe('only for once: local time in time_zone, as 2026-12-01T08:00, without an offset'),
  minute: z.number().int().optional().describe('only for hourly: 0 to 59'),
  days: z.array(z.string()).optional().describe('only for weekly: of mo, tu, we, th, fr, sa, su'),
  day: z.string().optional().describe('only for monthly: 1 to 31, or last'),
  time: z
    .string()
    .optional()
    .describe('for daily, weekly and monthly: local time in time_zone, as 08:00; never converted to UTC'),
})

const content = {
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(maxSchedulePromptCharacters)
    .describe(
      'what to do in each run, as an instruction that is clear without this conversation; without when to do it',
    ),
  rule: ruleParameter,
  time_zone: z
    .string()
    .optional()
    .describe('IANA name; the time zone of the user if absent: name one only if the user did'),
  run_without_asking: z
    .array(z.string())
    .max(maxScheduleWrites)
    .optional()
    .describe(
      'names of offered tools that write and that runs may call without asking; only those that the user wants to run unasked. All others wait for approval',
    ),
  notify: z
    .array(z.enum(['push', 'mail']))
    .optional()
    .describe('how the user is told about a run; push if absent'),
}

const nothing = z.object({})

const creation = z.object(content)

const change = z.object({
  id: z.string().describe('id of the schedule, as list_schedules returns it'),
  ...z.object(content).partial().shape,
  paused: z.boolean().optional().describe('true pauses it, false goes on with it'),
  delete: z.boolean().optional().describe('true deletes it'),
})

/** Lists may come as one text, and a rule as JSON. */
function readLists(value: Record<string, unknown>): Record<string, unknown> {
  const toList = (one: unknown) =>
    typeof one === 'string' && !one.trim().startsWith('[') ? one.split(/[\s,;]+/).filter(Boolean) : one
  const { rule } = value
  return {
    ...value,
    run_without_asking: toList(value['run_without_asking']),
    notify: toList(value['notify']),
    ...(typeof rule === 'object' &&
      rule !== null &&
      'days' in rule && { rule: { ...rule, days: toList(rule.days) } }),
  }
}

/** Parameters of a call of the model, which pass as they are once they are completed. */
function completedParameters(
  schema: z.ZodType<Record<string, unknown>>,
  completed: z.ZodType<Record<string, unknown>>,
): ToolParameters {
  const parameters = zodParameters(schema)
  return {
    schema: parameters.schema,
    check(value) {
      const parsed = completed.safeParse(value)
      return parsed.success ? { input: parsed.data } : parameters.check(readLists(value))
    },
  }
}

const commonFields = { activity: 'other', timeoutMs: 15_000 } as const

/**
 * Let the model see the user's schedules, and create and change them. What writes waits for approval each time: nothing that a model has read
 * changes a schedule.
 * @param listOffered the tools of connections in this conversation
 */
export function scheduleTools(
  deps: Pick<ReplyDeps, 'limits' | 'models' | 'projects'> & ScheduleCallDeps,
  reply: OpenedReply,
  listOffered: () => readonly Tool[],
): Tool[] {
  let calls: Promise<ScheduleCalls> | undefined
  const loadCalls = () =>
    (calls ??= import('./schedule-calls.ts').then((code) => code.scheduleCalls(deps, reply, listOffered)))
  return [
    {
      ...commonFields,
      name: 'list_schedules',
      title: 'List schedules',
      description:
        "Lists the user's schedules, which run a prompt at set times while the user is away, and tells what time it is for the user now. Call it before you create a schedule for a time that is near, and before you change one.",
      parameters: zodParameters(nothing),
      writes: false,
      run: async () => (await loadCalls()).list(),
    },
    {
      ...commonFields,
      name: 'create_schedule',
      title: 'Create schedule',
      description:
        'Creates a schedule that runs a prompt at set times, also when the page is closed: each run is a message in a conversation of its own. Only if the user asks for it. The user sees when it runs, what it does, which tools run without asking and what it may cost, and approves or edits that before anything is stored.',
      parameters: completedParameters(creation, creationRequest),
      writes: true,
      complete: async (input) => (await loadCalls()).completeCreation(input),
      run: async (input) => (await loadCalls()).create(input),
    },
    {
      ...commonFields,
      name: 'change_schedule',
      title: 'Change schedule',
      description:
        'Changes, pauses, continues or deletes one schedule of the user. Name only what changes. Only if the user asks for it; the user approves it first.',
      parameters: completedParameters(change, changeRequest),
      writes: true,
      complete: async (input) => (await loadCalls()).completeChange(input),
      run: async (input) => (await loadCalls()).change(input),
    },
  ]
}
