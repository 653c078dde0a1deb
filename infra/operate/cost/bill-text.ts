import { formatColumns } from '../command.ts'
import {
  calculateBill,
  idle,
  type Line,
  prices,
  sumUsd,
  sumUsdPerTenThousandRuns,
  sumUsdPerThousandTurns,
  type Usage,
} from './bill.ts'
import { listSavings } from './savings.ts'
import priceList from './prices.json' with { type: 'json' }
import type { DeployedResources } from './deployed-resources.ts'

type Row = readonly string[]

/** The bill as text and tables, before formatting. */
interface BillText {
  readonly about: string
  readonly tables: readonly { readonly title: string; readonly head: Row; readonly rows: readonly Row[] }[]
  readonly notes: readonly string[]
}

const inShort = 'In short'

/** Budgets of the design, in dollars. Idle is 2.25 and what the dispatcher of schedules costs: its metric, starts, reads and logs. */
const budget = { idle: 2.7, perThousandTurns: 0.15 } as const

function describeBill(usage: Usage, deployed: DeployedResources): BillText {
  const lines = calculateBill(usage, deployed)
  const idleUsd = sumUsd(calculateBill({ ...idle, freeTier: usage.freeTier }, deployed))
  // an account has three free dashboards, permanently
  const deployedWithoutWaf = { ...deployed, webAcls: 0, webRules: 0, dashboards: 0 }
  const idleWithoutWafUsd = sumUsd(calculateBill({ ...idle, freeTier: usage.freeTier }, deployedWithoutWaf))
  const thousandTurnsUsd = sumUsdPerThousandTurns(deployed)
  return {
    about: [
      `A month in ${priceList.region}, in US dollars, by the prices of ${priceList.checkedOn}, without the model and without taxes;`,
      usage.freeTier ? 'the permanent free tier is subtracted.' : 'the free tier is not subtracted.',
      `Users: ${formatNumber(usage.users)}. Turns: ${formatNumber(usage.turns)}, and ${formatNumber(usage.runs)} scheduled runs, of ${formatNumber(usage.seconds)} s, in ${formatNumber(usage.visits)} visits.`,
      `Connections with credentials per user: ${formatNumber(usage.integrations)}.`,
      `Files: ${formatNumber(usage.files)} of ${formatNumber(usage.fileMb)} MB. Months of stored conversations and files: ${formatNumber(usage.months)}.`,
    ].join(' '),
    tables: [
      {
        title: 'The bill',
        head: ['service', 'what', 'units', 'price', '$ a month'],
        rows: [...lines.map(toRow), ['total', '', '', '', formatDollars(sumUsd(lines))]],
      },
      {
        title: inShort,
        head: ['what', '$', 'budget', ''],
        rows: [
          ['All of it', formatDollars(sumUsd(lines)), '', ''],
          ['Idle: no use, nothing stored', formatDollars(idleUsd), '', ''],
          [
            'The same without WAF, and with one of the three free dashboards of an account',
            formatDollars(idleWithoutWafUsd),
            `< ${budget.idle}`,
            formatVerdict(idleWithoutWafUsd < budget.idle),
          ],
          [
            '1,000 turns of 10 s with their visits, without metrics',
            formatDollars(thousandTurnsUsd),
            `≤ ${budget.perThousandTurns}`,
            formatVerdict(thousandTurnsUsd <= budget.perThousandTurns),
          ],
          ['10,000 scheduled runs of 10 s', formatDollars(sumUsdPerTenThousandRuns(deployed)), '', ''],
        ],
      },
      {
        title: 'Levers',
        head: ['what', '$ a month more or less'],
        rows: listSavings(usage, deployed).map(({ what, usd }) => [what, formatDifference(usd)]),
      },
    ],
    notes: listUnconfirmedPrices(lines),
  }
}

/** Formats a bill for the terminal, with its single lines. */
export function formatBill(usage: Usage, deployed: DeployedResources): string {
  const { about, tables, notes } = describeBill(usage, deployed)
  const parts = tables.map(({ title, head, rows }) =>
    [title, ...formatColumns([head, ...rows]).map((line) => `  ${line}`)].join('\n'),
  )
  return [about, ...parts, ...notes].join('\n\n')
}

/** For a page of the documentation: what it comes to. */
export function formatBillAsMarkdown(usage: Usage, deployed: DeployedResources): string {
  const { about, tables, notes } = describeBill(usage, deployed)
  const rows = tables.find(({ title }) => title === inShort)?.rows ?? []
  const items = rows.map(
    ([what, usd, budget, verdict]) => `- ${what}: $${usd}${budget && ` (${budget}: ${verdict})`}`,
  )
  return [about, items.join('\n'), ...notes].join('\n\n')
}

function toRow({ service, what, price, units, usd }: Line): Row {
  const { usd: amount, per, unit, unconfirmed } = prices[price]
  const each = `$${amount} per ${per === 1 ? '' : `${formatNumber(per)} `}${unit}${unconfirmed ? ' (unconfirmed)' : ''}`
  return [service, what, formatNumber(units), each, formatDollars(usd)]
}

function listUnconfirmedPrices(lines: readonly Line[]): string[] {
  const names = lines
    .filter(({ price }) => prices[price].unconfirmed)
    .map(({ service, what }) => `${service} (${what})`)
  return names.length === 0
    ? []
    : [`Prices that could not be confirmed from AWS's own list: ${[...new Set(names)].join(', ')}.`]
}

const formatVerdict = (met: boolean) => (met ? 'met' : 'MISSED')

const formatNumber = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 4 : value < 100 ? 2 : 0 })

/** Amounts below a cent keep the digits that make them add up. */
const formatDollars = (value: number) => value.toFixed(value < 1 ? 4 : 2)

const formatDifference = (value: number) => `${value < 0 ? '−' : '+'}${formatDollars(Math.abs(value))}`
