import { mayCall, type ModelRequest } from './model-request.ts'
import type { ToolCall } from './tool-choice.ts'

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const dayPattern = dayNames.map((name) => `${name}s?`).join('|')

/** 'Every Monday and Thursday at 8 read my mail': days, time, and what to do. */
const asksForSchedule = new RegExp(
  String.raw`^(?:please |can you |could you )*(?:every|each) (day|weekday|workday|hour|(?:(?:${dayPattern})(?:, | and |, and )?)+)(?: at (\d{1,2})(?:[:.](\d\d))? ?([ap]m)?)?,? +(\S.*)$`,
  'is',
)
const asksForSchedules = /\b(?:what|which|list|show)\b.{0,30}\bschedules?\b/i
const asksToStop =
  /^(?:please |can you |could you )*(pause|delete|stop|remove) (?:the |my )?schedules? +(\S.*)$/is

function toRule(days: string, hour = '8', minute = '00', half = ''): Record<string, unknown> {
  const name = days.toLowerCase()
  if (name === 'hour') return { kind: 'hourly', minute: 0 }
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const time = `${String(hours).padStart(2, '0')}:${minute}`
  if (name === 'day') return { kind: 'daily', time }
  const named = /weekday|workday/.test(name)
    ? dayNames.slice(0, 5)
    : dayNames.filter((day) => name.includes(day))
  return { kind: 'weekly', days: named.map((day) => day.slice(0, 2)), time }
}

const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The call of a tool for schedules that a message asks for; undefined if there is none or the tool is not offered. */
export function chooseScheduleCall(message: string, request: ModelRequest): ToolCall | undefined {
  const [, days, hour, minute, half, prompt] = asksForSchedule.exec(message.trim()) ?? []
  if (days !== undefined && prompt !== undefined && mayCall(request, 'create_schedule'))
    return {
      name: 'create_schedule',
      arguments: { prompt: toSentence(prompt.trim()), rule: toRule(days, hour, minute, half) },
    }
  const [, verb, named] = asksToStop.exec(message.trim()) ?? []
  if (verb !== undefined && named !== undefined && mayCall(request, 'change_schedule'))
    return {
      name: 'change_schedule',
      arguments: {
        id: named.replace(/[.?!"“”]+/g, '').trim(),
        ...(/delete|remove/i.test(verb) ? { delete: true } : { paused: true }),
      },
    }
  return asksForSchedules.test(message) && mayCall(request, 'list_schedules')
    ? { name: 'list_schedules', arguments: {} }
    : undefined
}
