import { join } from 'node:path'
import { bedrockRegion } from './bedrock-relay.ts'
import { applyProxy } from '../operate/apply-proxy.ts'
import { DataFolderInUse } from './emulators/table-file.ts'
import { collectFunctionLogs } from './function-logs.ts'
import { describeLocalModels } from './server-models.ts'
import type { LocalProduct } from './start-local.ts'
import { type LocalSettings, readSettings } from './settings.ts'
import { showFolder } from './show-folder.ts'

/** The process ends within 10 s of a signal, even if something hangs. */
const hardStopMs = 8_000
const parentCheckMs = 500

/**
 * Runs the product in a terminal: prints its address, the mailbox and the model, and ends on SIGINT or SIGTERM. An error at the start
 * becomes one sentence and exit code 1.
 */
export async function runInTerminal(
  start: (settings: LocalSettings) => Promise<LocalProduct>,
): Promise<void> {
  try {
    const settings = readSettings(process.env)
    const proxyProblem = applyProxy([settings.model?.baseUrl])
    if (proxyProblem !== undefined) process.stderr.write(`${proxyProblem}\n`)
    collectFunctionLogs(join(settings.dataDir, 'log.jsonl'))
    process.on('unhandledRejection', reportUnhandled)
    const describing = describeLocalModels(settings)
    const starting = start(settings)
    stopOnSignals(starting)
    const product = await starting
    process.stdout.write(`Ready ${product.origin}\n${formatNotes(product, settings, await describing)}`)
  } catch (error) {
    process.stderr.write(`${explainStartError(error)}\n`)
    process.exit(1)
  }
}

function formatNotes(
  { origin, model, demoServer, identityProviders }: LocalProduct,
  { dataDir, model: own }: LocalSettings,
  models: readonly string[],
): string {
  const lines = [`  E-mails and push messages arrive at ${origin}/local/mail`]
  if (model) lines.push('  The built-in demo model answers. For a real one: npm run setup')
  if (demoServer !== undefined) lines.push(`  A demo MCP server, to be added as a custom tool: ${demoServer}`)
  for (const { label, domains, adminGroup } of identityProviders)
    lines.push(
      `  “Continue with ${label}” leads to an identity provider to try: addresses at ${domains.join(', ')}, group ${adminGroup} for administrators.`,
    )
  lines.push(...models.map((line) => `  ${line}`))
  if (own?.server === 'bedrock')
    lines.push(
      own.bedrockEndpoint === undefined
        ? `  Amazon Bedrock in ${bedrockRegion()} answers, with your own AWS credentials.`
        : `  Models are called at ${own.bedrockEndpoint}, signed with your own AWS credentials for ${bedrockRegion()}.`,
    )
  lines.push(`  Data and logs are kept in ${showFolder(dataDir)}. Stop with Ctrl+C.`)
  return `${lines.join('\n')}\n`
}

function stopOnSignals(starting: Promise<LocalProduct>): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(130)
    isStopping = true
    setTimeout(() => process.exit(1), hardStopMs).unref()
    starting
      .then((product) => product.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  stopWithNpm(stop)
}

/** npm can end without signalling this process: a shell may not forward the signal, or npm may be killed. */
function stopWithNpm(stop: () => void): void {
  if (!process.env['npm_lifecycle_event']) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, parentCheckMs)
  watch.unref()
}

/** On Lambda an unhandled rejection ends one sandbox; here it must not end all functions. */
function reportUnhandled(error: unknown): void {
  process.stderr.write(
    `unhandled rejection: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
}

function explainStartError(error: unknown): string {
  if (error instanceof DataFolderInUse) return error.message
  const { code, port, message, stack } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop what runs there, or choose another one: PORT=${Number(port) + 1} npm start`
  if (code === 'EACCES' && port) return `Port ${port} needs special rights. Choose one above 1023.`
  return process.env['DEBUG'] ? (stack ?? message) : message
}
