import { OperatorError } from '../../aws/operator-error.ts'
import { contextOption } from '../command.ts'
import type { Usage } from './bill.ts'
import { assumed } from './units.ts'

/** The command line of `npm run cost`. */
export const usageOptions = {
  users: { type: 'string' },
  turns: { type: 'string' },
  runs: { type: 'string', default: '0' },
  seconds: { type: 'string', default: '10' },
  visits: { type: 'string' },
  integrations: { type: 'string', default: '1' },
  files: { type: 'string', default: '100' },
  'file-mb': { type: 'string', default: '2' },
  months: { type: 'string', default: '12' },
  waf: { type: 'boolean', default: false },
  'free-tier': { type: 'boolean', default: false },
  markdown: { type: 'boolean', default: false },
  ...contextOption,
} as const

type NumberOption =
  | 'users'
  | 'turns'
  | 'runs'
  | 'seconds'
  | 'visits'
  | 'integrations'
  | 'files'
  | 'file-mb'
  | 'months'
type Values = Readonly<Partial<Record<NumberOption, string>>> & { readonly 'free-tier'?: boolean }

/** Of a workday, and the workdays of a month. */
const turnsPerUser = assumed.turnsPerDay * 21
const usual = { users: 20, turns: 10_000 }

/**
 * Parses the options.
 * @param configuredUsers setting `users`
 * @throws OperatorError naming the option that is not a number
 */
export function parseUsage(values: Values, configuredUsers?: number): Usage {
  const read = (name: NumberOption) => {
    const input = values[name]
    const value = Number(input)
    if (input === undefined || input.trim() === '' || !Number.isFinite(value) || value < 0)
      throw new OperatorError(`--${name} ${input ?? ''} must be a number, 0 or more.`)
    return value
  }
  const users = values.users === undefined ? (configuredUsers ?? usual.users) : read('users')
  const isSized = values.users !== undefined || configuredUsers !== undefined
  const turns = values.turns === undefined ? (isSized ? users * turnsPerUser : usual.turns) : read('turns')
  const seconds = read('seconds')
  if (seconds === 0 || seconds > 300)
    throw new OperatorError(`--seconds ${seconds} must be above 0 and at most 300: no reply takes longer.`)
  return {
    users,
    turns,
    runs: read('runs'),
    seconds,
    visits: values.visits === undefined ? Math.ceil(turns / assumed.turnsPerVisit) : read('visits'),
    integrations: read('integrations'),
    files: read('files'),
    fileMb: read('file-mb'),
    months: read('months'),
    freeTier: values['free-tier'] ?? false,
  }
}
