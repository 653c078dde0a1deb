import { readConfig } from '../../aws/config.ts'
import { contextNode, loadContext } from '../stage.ts'
import { calculateBill, sumUsd } from './bill.ts'
import { listBounds } from './bounds.ts'
import { countResources } from './deployed-resources.ts'
import priceList from './prices.json' with { type: 'json' }
import { parseUsage } from './usage.ts'

const sizes = [30, 500, 5_000, 50_000]
/** What every deployment for more than some people sets: Cognito's own mailer sends 50 mails a day. */
const sharedContext = { sesSender: 'hello@example.org' }
const { container } = priceList

interface Size {
  readonly users: number
  readonly usd: number
  /** of it for functions */
  readonly lambdaUsd: number
  /** functions at once that the account needs, 100 left for everything but replies */
  readonly concurrency: number
  /** the lowest limits that remain, with the people they are enough for */
  readonly limits: readonly string[]
}

function measureSize(users: number): Size {
  const context = { ...loadContext([]), ...sharedContext, users: String(users) }
  const config = readConfig(contextNode(context))
  const usage = parseUsage({
    users: String(users),
    runs: '0',
    seconds: '10',
    integrations: '1',
    files: String(users),
    'file-mb': '2',
    months: '12',
  })
  const lines = calculateBill(usage, countResources(context))
  const concurrency = (config.chatConcurrency ?? 0) + 100
  const limits = listBounds(config, { ...usage, concurrency: Math.max(1_000, concurrency) })
    .slice(0, 2)
    .map(({ what, people }) => `${what}: ${people.toLocaleString('en-US')}`)
  return {
    users,
    usd: sumUsd(lines),
    lambdaUsd: sumUsd(lines.filter(({ service }) => service === 'Lambda')),
    concurrency,
    limits,
  }
}

/** What deployments of several sizes cost, and what stops each of them first, with the defaults that `users` gives them. */
export function formatScaleAsMarkdown(): string {
  const measured = sizes.map(measureSize)
  const rows = measured.map(({ users, usd, lambdaUsd, concurrency, limits }) => [
    users.toLocaleString('en-US'),
    Math.round(usd).toLocaleString('en-US'),
    Math.round(lambdaUsd).toLocaleString('en-US'),
    concurrency > 1_000 ? concurrency.toLocaleString('en-US') : '1,000 (usual)',
    limits.join('; '),
  ])
  const head = [
    'users',
    '$ a month',
    'of it Lambda',
    'concurrent functions',
    'what is enough for how many people',
  ]
  const perUser = measured.map(({ users, lambdaUsd }) => lambdaUsd / users).at(-1) ?? 0
  const containersUsd =
    container.tasks * 730 * (container.vcpuUsd + container.gb * container.gbUsd) + container.balancerUsd
  return [
    '### By the number of people',
    '',
    ...[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`),
    '',
    `Each writes 20 messages a workday; replies take 10 s; \`users\` and \`sesSender\` are set. A longer reply needs more functions at once. ${container.tasks} containers of 1 vCPU and ${container.gb} GB behind a load balancer cost about $${Math.round(containersUsd)} (unconfirmed, of ${container.date}), which Lambda comes to at about ${(Math.round(containersUsd / perUser / 100) * 100).toLocaleString('en-US')} people; they would have one role for everything.`,
  ].join('\n')
}
