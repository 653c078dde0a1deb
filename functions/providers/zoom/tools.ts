import * as z from 'zod'
import { capabilityWith, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, linkField, optionalField, singleLine, longText } from '../schemas.ts'
import type { ApiFailure } from '../errors.ts'

const errorResponse = z.object({ code: z.number(), message: z.string() })

/** Zoom's error codes: 124 for an invalid token, 4711 for a missing scope. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = errorResponse.safeParse(body)
  if (data?.code === 124) return { status: 401, message: data.message }
  if (data?.code !== 4711) return undefined
  const scopes = /\[([^[\]]*)\]/.exec(data.message)?.[1]?.split(/[\s,]+/) ?? []
  return { status: 403, message: data.message, scopes }
}

const capability = capabilityWith({ toFailure: parseFailure })

const meeting = z
  .object({
    id: z.union([z.number(), z.string()]),
    topic: optionalField,
    start_time: z.string().optional(),
    duration: z.number().optional(),
    join_url: linkField,
    agenda: z.string().default(''),
  })
  .transform(({ id, topic, start_time, duration, join_url, agenda }) => ({
    topic,
    start: start_time,
    minutes: duration,
    agenda: cleanText(agenda, 300),
    link: join_url,
    id: String(id),
  }))
const meetingPage = z.object({ meetings: z.array(meeting), next_page_token: z.string().default('') })

export const tools: readonly Capability[] = [
  capability({
    id: 'list_meetings',
    name: 'List meetings',
    description: 'Lists the upcoming meetings of the user on Zoom.',
    parameters: z.object({ limit: limit('meetings') }),
    examples: ['Which Zoom meetings do I have?'],
    async run(api, { limit: maxRows }) {
      const query = { type: 'upcoming', page_size: maxRows }
      const { meetings, next_page_token } = await api.get(meetingPage, '/users/me/meetings', query)
      return { meetings, more: next_page_token !== '' }
    },
  }),
  capability({
    id: 'create_meeting',
    name: 'Create a meeting',
    description: 'Creates (schedules) a meeting on Zoom.',
    parameters: z.object({
      title: singleLine('topic of the meeting', 200),
      startTime: z.iso.datetime({ offset: true }).describe('start, such as 2026-11-20T15:00:00Z'),
      minutes: z.number().int().min(5).max(1_440).default(60).describe('how long it takes'),
      agenda: longText('what it is about', 2_000).optional(),
    }),
    examples: ['Schedule a Zoom meeting "Retro" on 2026-12-01T15:00:00Z'],
    writes: true,
    async run(api, { title, startTime, minutes, agenda }) {
      // 2: scheduled; Zoom accepts UTC without fractions of a second
      const start_time = new Date(startTime).toISOString().replace(/\.\d+Z$/, 'Z')
      const json = { topic: title, type: 2, start_time, duration: minutes, agenda }
      return { created: true, meeting: await api.post(meeting, '/users/me/meetings', { json }) }
    },
  }),
]
