import type { Config } from '../../aws/config.ts'
import { formatColumns } from '../command.ts'
import { interpolateTurn } from './bill.ts'
import { assumed } from './units.ts'

/** Something that stops a deployment from serving more people. */
export interface Bound {
  readonly what: string
  /** how many people it is enough for */
  readonly people: number
  /** what raises it */
  readonly raise: string
}

/** How the product is used, and what the account allows. */
export interface Load {
  /** duration of a reply */
  readonly seconds: number
  /** connections with credentials of each user */
  readonly integrations: number
  /** functions that the account may run at once; undefined: not known */
  readonly concurrency?: number | undefined
}

/** As `npm run cost` counts without options. */
export const usualLoad = { seconds: 10, integrations: 1 } as const

/** Cognito's own mailer (https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html). */
const mailsPerDay = 50
/** In 24 runs of 15 minutes, ten at a time, each in a second and a pause of an eighth. */
const refreshesPerDay = 190_000

/**
 * A partition of a table takes so many writes of up to 1 KB a second, and so many a table in an account at first.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
const writesPerSecond = { partition: 1_000, table: 40_000 } as const
/** Of a turn, to the row that counts the tokens of all users: begin, a long prompt, end (functions/chat/budget-rows.ts). */
const siteRowWritesPerTurn = 3

/** Tokens of a turn: what is sent, at four bytes a token, and a short reply. */
const tokensPerTurn = assumed.modelRequestBytes / 4 + 400

/** The turns of all users together that the budget of a day allows. */
export const countTurnsPerDay = ({ siteTokensPerDay }: Pick<Config, 'siteTokensPerDay'>): number =>
  Math.floor(siteTokensPerDay / tokensPerTurn)

/** What limits the number of people, the lowest limit first. */
export function listBounds(config: Config, { seconds, integrations, concurrency }: Load): Bound[] {
  const turnsPerUserAndSecond = assumed.turnsPerDay / (assumed.busyHours * 3_600)
  const countPeople = (perSecond: number, writesPerTurn: number) =>
    perSecond / (turnsPerUserAndSecond * writesPerTurn * assumed.burst)
  const replies = config.chatConcurrency ?? concurrency
  const mailsForAll =
    config.ses !== undefined || config.identityProviders.length > 0 || config.google !== undefined
  const bounds: (Bound | undefined)[] = [
    {
      what: `siteTokensPerDay=${config.siteTokensPerDay}: ${countTurnsPerDay(config)} turns a day`,
      people: countTurnsPerDay(config) / assumed.turnsPerDay,
      raise: '-c users=…, or -c siteTokensPerDay=…, which also bounds the cost of a day',
    },
    replies === undefined
      ? undefined
      : {
          what: `${replies} replies at once (${config.chatConcurrency === undefined ? 'concurrent functions of the account' : 'chatConcurrency'})`,
          people: replies / (turnsPerUserAndSecond * seconds * assumed.burst),
          raise:
            'more concurrent functions for the account: console of Service Quotas, AWS Lambda, L-B99A9384; and -c chatConcurrency=…',
        },
    mailsForAll
      ? undefined
      : {
          what: `${mailsPerDay} mails a day of Cognito's own mailer: people who can sign up on the first day`,
          people: mailsPerDay,
          raise: 'sesSender, an identity provider, or Google (docs/deploy.md)',
        },
    {
      what: `requestsPerSecond=${config.requestsPerSecond}`,
      people: config.requestsPerSecond / (turnsPerUserAndSecond * assumed.requestsPerTurn + 1 / 60),
      raise: '-c users=…, or -c requestsPerSecond=…',
    },
    {
      what: `${writesPerSecond.partition} writes a second to the row that counts everybody's tokens`,
      people: countPeople(writesPerSecond.partition, siteRowWritesPerTurn),
      raise: 'nothing yet: the row would have to be divided',
    },
    {
      what: `${writesPerSecond.table} writes a second to the table`,
      people: countPeople(writesPerSecond.table, interpolateTurn(seconds).writes),
      raise: 'a higher quota: console of Service Quotas, Amazon DynamoDB',
    },
    integrations > 0
      ? {
          what: `${refreshesPerDay} idle connections that are refreshed in a day`,
          people: refreshesPerDay / integrations,
          raise: 'nothing yet: connections of people who are away longer may have to be made again',
        }
      : undefined,
  ]
  return bounds
    .filter((bound) => bound !== undefined)
    .map((bound) => ({ ...bound, people: Math.floor(bound.people) }))
    .toSorted((one, other) => one.people - other.people)
}

/** A table for a terminal. */
export function formatBounds(bounds: readonly Bound[]): string {
  const rows = bounds.map(({ what, people, raise }) => [people.toLocaleString('en-US'), what, raise])
  const lines = formatColumns([['people', 'limit', 'what raises it'], ...rows])
  return ['What this configuration is enough for', ...lines.map((line) => `  ${line}`)].join('\n')
}
