import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AppError } from '../../functions/platform/errors.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { applyProxy } from './apply-proxy.ts'

interface Help {
  /** its options */
  options: string
  does: string
  /** what has to be there before it can work */
  needs: string
}

const deployed =
  'a deployed stage, AWS credentials with the policy operate.json (npm run policy) and AWS_REGION'
const local = 'for the product on this computer: npm start, and --local'
const target = '[-c key=value …] [--local | --url https://…]'

export const contextOption = {
  context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
} as const

/** The options that name a stage: its context, the address of another one, or the product on this computer. */
export const targetOptions = {
  ...contextOption,
  url: { type: 'string' },
  local: { type: 'boolean' },
} as const

/** The operator's commands: `npm run <name> -- <options>`. */
const commands = {
  admin: {
    options: `users|show|disable|enable|sign-out|reset-two-factor|groups|grant-admin|revoke-admin|hide-address|audit [--email ann@example.org | --id …] [--query ann] [--set staff,interns] ${target}`,
    does: 'Administers users and groups as the page under Administration does.',
    needs: `${deployed}; ${local}`,
  },
  backup: {
    options: `--out folder|s3://bucket/prefix [--verify | --forget ann@example.org [--out …]] ${target}`,
    does: 'Writes all rows, files, accounts and groups into one place, which may be in another account or region; an interrupted backup goes on when the command is run again. --verify reads all of it and compares checksums; --forget erases a person from it.',
    needs: `${deployed}, and permission to write there; ${local}`,
  },
  cost: {
    options:
      '[--users 20] [--turns 10000] [--runs 0] [--seconds 10] [--visits 2000] [--integrations 1] [--files 100] [--file-mb 2] [--months 12] [--waf] [--free-tier] [--markdown] [-c key=value …]',
    does: 'Computes the monthly bill of the stacks as they are configured.',
    needs: 'nothing: no credentials, no network',
  },
  deploy: {
    options: '[--back] [-c key=value …] [--yes | --dry-run]',
    does: 'Runs the doctor, deploys the stacks, and tests the product. It asks before it changes something. With --back it returns to the release before the deployed one, without building anything; repeated, one further. With --dry-run it shows what would change, and changes nothing.',
    needs:
      'AWS credentials with the policy deploy.json (npm run policy), AWS_REGION, and an account in which npm run bootstrap was run',
  },
  doctor: {
    options: '[--users 30] [-c key=value …]',
    does: 'Checks that everything exists that a deployment needs. It changes nothing and reads no secret.',
    needs: 'AWS credentials with the policy deploy.json (npm run policy) and AWS_REGION',
  },
  erase: {
    options: `--email ann@example.org [--yes] ${target}`,
    does: 'Erases the account of a user who can no longer sign in. Without --yes it only says whose.',
    needs: `${deployed}; sign-in with passwords; ${local}`,
  },
  invite: {
    options: `--email ann@example.org [--days 7] [--groups staff] [--revoke] | --admin ann@example.org [--days 7] | --list ${target}`,
    does: 'Invites somebody to sign up, makes an account an administrator, lists or revokes invitations.',
    needs: `${deployed}; ${local}`,
  },
  job: {
    options: 'registry-sync|connection-refresh|model-check [-c key=value …]',
    does: 'Starts a daily job now.',
    needs: deployed,
  },
  migrate: {
    options: `[--dry-run] [--writes 50] ${target}`,
    does: 'Brings rows that earlier releases wrote into the format of this one, while the product runs, with at most --writes writes a second; an interrupted migration goes on when the command is run again. --dry-run lists them, by their keys alone, and changes nothing.',
    needs: `${deployed}, on which this release is deployed; ${local}`,
  },
  outputs: {
    options: '[-c key=value …]',
    does: 'Prints the outputs of the stacks: the names and addresses that the guides write as <TableName>.',
    needs: deployed,
  },
  policy: {
    options: '[--out policies] [-c key=value …]',
    does: 'Writes the IAM policies that a deployment and these commands need.',
    needs: 'nothing: no credentials, no network',
  },
  restore: {
    options:
      '--at 2026-11-20T09:00:00Z | --from restored-table [--to table --pool user-pool], with --email ann@example.org … | --everybody [--overwrite]; or --deleted-table; or --uploads folder [-c key=value …]; or --users backup [--dry-run] [--merge] [-c key=value …] [--local]',
    does: 'Restores the table to an earlier moment under another name, copies rows of users back from it, and deletes it. Or restores a deleted table, or puts files back from a backup. --users restores a whole backup into a new deployment: it creates accounts, and moves rows and files to their new ids.',
    needs: `${deployed}; ${local}, with --users`,
  },
  secret: {
    options:
      'set model-key|<name> [--file value.txt] | rotate sealing-key | show|restore model-key|sealing-key|<name> [-c key=value …]',
    does: 'Stores a secret of the operator (without --file it reads the value from standard input), puts a new key in front of the sealing key, prints a secret, or takes back its deletion.',
    needs: deployed,
  },
  setup: {
    options: '[--stage live]',
    does: 'Asks for the settings that you need first, and stores them: for npm start in .env, with --stage in the file of that stage. It asks before it replaces a value, and writes at the end only.',
    needs: 'nothing: no credentials, no network',
  },
  smoke: {
    options: `[--keep] ${target}`,
    does: 'Tests the main functions of a deployment with a temporary user, which it erases; --keep leaves it there.',
    needs: `a deployed stage, AWS credentials with the policy deploy.json (npm run policy) and AWS_REGION; ${local}`,
  },
  usage: {
    options: `[--days 31] [--by day|month] [--json] ${target}`,
    does: 'Adds up tokens, images and costs of replies by user, who is named by the hash in the logs.',
    needs: `${deployed}; ${local}`,
  },
  vault: {
    options:
      '--to table|secrets | --sweep | --reseal [--dry-run] | --clear [--yes] [-c key=value …] [--local]',
    does: 'Moves credentials of integrations to the other vault, removes what no row refers to, or seals them with the newest key. --clear deletes all of a stage that is destroyed from Secrets Manager; without --yes it counts them.',
    needs: `${deployed}; a deployment that has the new vault or key already; ${local}`,
  },
} as const satisfies Record<string, Help>

type CommandName = keyof typeof commands

const formatSynopsis = (name: CommandName): string => `npm run ${name} -- ${commands[name].options}`

/** The options do not fit together. */
export const wrongUsage = (name: CommandName): OperatorError => new OperatorError(formatSynopsis(name))

/** @throws OperatorError unless the value of an option is a whole number from 1 to `max` */
export function parseCount(option: string, value: string, max: number): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1 && count <= max) return count
  throw new OperatorError(`--${option} ${value} must be a whole number from 1 to ${max}.`)
}

/** What `--help` prints. */
export const formatHelp = (name: CommandName): string =>
  `${formatSynopsis(name)}\n\n${commands[name].does}\nIt needs ${commands[name].needs}.`

/**
 * Runs a command. `--help` prints what it does and needs. What the operator can fix becomes one sentence and exit code 2: wrong arguments, a
 * wrong configuration, and what AWS refuses.
 * @param run may return an exit code
 * @throws every other error
 */
export async function runCommand<const Config extends ParseArgsConfig>(
  name: CommandName,
  config: Config,
  run: (args: ReturnType<typeof parseArgs<Config>>) => Promise<number | void> | void,
): Promise<void> {
  process.stdout.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe)
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h'))
    return printLine(formatHelp(name))
  const proxyProblem = applyProxy()
  if (proxyProblem !== undefined) process.stderr.write(`${proxyProblem}\n`)
  try {
    const exitCode = await run(parseArgs(config))
    if (exitCode !== undefined) process.exitCode = exitCode
  } catch (error) {
    const explanation = explainError(error as Error & { code?: string })
    if (explanation === undefined) throw error
    fail(explanation)
  }
}

/** Who pipes a list into `head` has read enough. What the command does goes on to its end. */
function ignoreClosedPipe(error: Error & { code?: string }): void {
  if (error.code !== 'EPIPE') throw error
}

/** @returns undefined for errors that the operator cannot fix */
function explainError(error: Error & { code?: string }): string | undefined {
  if (error instanceof AppError) return error.userMessage
  if (error instanceof OperatorError || error.code?.startsWith('ERR_PARSE_ARGS')) return error.message
  if (error.message === 'Region is missing') return 'Set AWS_REGION to the region of the stage.'
  if (error.code === 'ECONNREFUSED') return 'The local product is not running. Start it with npm start.'
  // an error response of AWS, or no credentials
  return '$metadata' in error || error.name === 'CredentialsProviderError'
    ? `${error.name}: ${error.message}`
    : undefined
}

/** Reports why a command cannot do its work, with exit code 2. */
export function fail(message: string): void {
  process.stderr.write(`${cleanOutput(message)}\n`)
  process.exitCode = 2
}

/**
 * Line breaks and tabs of a text are its own; other control characters would command the terminal (CSI, also as C1), and names come from
 * strangers.
 */
const controls = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t]]/gv

const cleanOutput = (text: string): string => text.replace(controls, '\ufffd')

/** Prints a result of a command. */
export const printLine = (text: string): void => void process.stdout.write(`${cleanOutput(text)}\n`)

/** Cells in columns as wide as their longest one. @param isNumber aligns a column to the right */
export function formatColumns(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): string[] {
  // a call cannot have as many arguments as there are users
  const measureColumn = (column: number) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0)
  const widths = rows[0]?.map((_, column) => measureColumn(column)) ?? []
  const pad = (cell: string, column: number) =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program of Node's with these arguments in this terminal. @returns its exit code */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = repository,
): Promise<number> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
