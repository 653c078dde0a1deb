import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { configKeys } from '../../infra/aws/config.ts'
import { routes } from '../../shared/routes.ts'

/*
 * Which names of a document exist: npm scripts with their arguments, settings, routes, paths, keys of rows, labels of the page in italics, and every other name
 * in backticks, which has to be a word of the code. Blocks of code are checked for variables, routes, paths and keys of rows.
 */

const root = join(import.meta.dirname, '../..')

/** The files of the repository, new ones included. */
export const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
export const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Names of AWS, protocols, libraries and operating systems, and samples; the code does without them. */
const namesOfOthers = new Set(
  `AllowAdminCreateUserOnly ApiCloudWatchRole ChatTransport CUSTOM_AUTH CustomEmailSender NodejsFunction PutMetricData allow-modals
  bedrock-mantle bedrock-sdk better-sqlite3 cfn-lint frameDomains hard_heap_limit no-git-tag-version no-rollback Connection-Allowlist
  H_2O x-portkey-provider responsePayload update-model-context aws-lambda-powertools ERROR_MESSAGE Conditional
  UNSAFE_ useChat CUSTOM MonitoringAlarmTopic machine_word $42$ web/src/languages/it.json uploads/ juno-dev/vault/ juno-dev-edge juno-live-restored restored- DEC-182 CHAT-12 AWS_ENDPOINT_URL_ IN_PROGRESS _IN_PROGRESS
  model_rejects_tools model_rejects_documents model_rejects_images cloudformation- time_random time-id half-open requests- responses- source-1 gpt-4o-mini-transcribe deploy-juno smoke-test-
  RUN_STARTED STEP_STARTED STEP_FINISHED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END REASONING_START
  REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT REASONING_MESSAGE_END REASONING_END TOOL_CALL_START TOOL_CALL_ARGS
  TOOL_CALL_END TOOL_CALL_RESULT RUN_FINISHED MESSAGES_SNAPSHOT RUN_ERROR`.split(/\s+/),
)

const isCode = (file: string) =>
  /\.(?:tsx?|js|json|yml|html|css|svg)$|rc$/.test(file) &&
  !/\.test\.tsx?$|^docs\/|^test\/(?:spec|fixtures|lint)\/|^test\/pins|package-lock/.test(file) &&
  statSync(join(root, file)).size < 2_000_000
const code = files
  .filter(isCode)
  .map((file) => `${file}\n${read(file)}`)
  .join('\n')
const areas = read('test/spec/requirements.tsv').matchAll(/^([A-Z]+)-\d+\t/gm)
const words = new Set([
  ...(code.match(/[\w$]+(?:-[\w$]+)*/g) ?? []),
  ...[...areas].map(([, area = '']) => area),
])
const paths = new Set(
  files.flatMap((file) => file.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'))),
)
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** The source of a command: its file, the folder of its name, and what lies beside both. */
function readCommand(entry: string): string {
  const folder = entry.slice(0, -'.ts'.length)
  const beside = entry.slice(0, entry.lastIndexOf('/') + 1)
  return files
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        (file.startsWith(`${folder}/`) ||
          (file.startsWith(beside) && !file.slice(beside.length).includes('/'))),
    )
    .map(read)
    .join('\n')
}

function* findCommands(text: string): Generator<string> {
  for (const [mention, name = '', rest = ''] of text.matchAll(
    /npm (?:run |(?=(?:test|start)\b))([\w:-]+)([^`\n#|]*)/g,
  )) {
    const script = scripts[name]
    if (script === undefined) yield mention
    const [, entry] = /node (?:--\S+ )*(\S+\.ts)/.exec(script ?? '') ?? []
    // what follows is the CDK's, the name of a handler, or a language
    if (!entry || name === 'bootstrap' || name === 'invoke' || name === 'translations') continue
    const source = readCommand(entry)
    const isNamed = (word: string) => new RegExp(`['"\`]${word}['"\`]|\\b${word}:|--${word}\\b`).test(source)
    const args = rest.split(' -- ')[1] ?? ''
    const [subcommand] = /^[a-z][\w-]*(?=\s|$)/.exec(args) ?? []
    const flags = [...args.matchAll(/--([a-z][\w-]*)/g)].map(([, flag = '']) => flag)
    for (const word of subcommand ? [subcommand, ...flags] : flags) if (!isNamed(word)) yield mention
  }
}

function* findSettings(text: string): Generator<string> {
  const keys: readonly string[] = [...configKeys, 'key']
  for (const [mention, key = ''] of text.matchAll(/-c (\w+)=/g)) if (!keys.includes(key)) yield mention
}

/** Parameters of a path as one sign. */
const withoutParameters = (path: string) =>
  path.replace(/[?#].*$/, '').replaceAll(/\{[^}]+\}|<[^>]+>|…/g, '*')

function* findRoutes(text: string): Generator<string> {
  const known = Object.values(routes).map(({ method, path }) => ({ method, path: withoutParameters(path) }))
  for (const [mention, method, path = ''] of text.matchAll(
    /(?:\b(GET|POST|PATCH|DELETE|PUT) )?(?<![\w./>*-])(\/(?:api|functions\/v1)\/[^\s`'"),;|]*)/g,
  )) {
    const parts = withoutParameters(path).split('*').map(escapePattern)
    const pattern = new RegExp(`^${parts.join('[^ ]+')}$`)
    if (!known.some((route) => (!method || route.method === method) && pattern.test(route.path)))
      yield mention
  }
}

/** Paths of the repository, or the end of one: those that begin with one of its folders, source files, and folders. */
const isPath = (name: string) =>
  /^\.?[\w.*-]+(?:\/[\w.*{},-]+)*\/?$/.test(name) &&
  (/^(?:shared|functions|web|infra|test|docs)\/|\.(?:tsx?|js|md)$/.test(name) || name.endsWith('/'))

function pathExists(name: string): boolean {
  if (paths.has(name.replace(/\/$/, ''))) return true
  const end = escapePattern(name.replace(/\/$/, '')).replaceAll(String.raw`\*`, '[^/]*')
  const pattern = new RegExp(`(?:^|/)${end}$`)
  // what the product writes is named by its code
  return [...paths].some((path) => pattern.test(path)) || code.includes(name)
}

/** Names in italics are texts of the page, of the consoles of AWS, or words that a document explains. */
const labels = Object.keys(JSON.parse(read('web/src/languages/de.json')) as Record<string, string>)
  .map((text) => text.replaceAll(/<\/?\d+\/?>/g, ''))
  .join('\n')
const otherLabels = new Set(
  `Stored, Local, Web identity, Account and billing, Policies, Create policy, JSON, Resources, Concurrent functions, Concurrent executions, Purge, Traces,
  Read/Write throttle events, DynamoDB, destroy, replace, Identity providers, Add provider`.split(/,\s+/),
)

function* findLabels(text: string): Generator<string> {
  const prose = text.replaceAll(/^ *```[^]*?^ *```|`[^`\n]*`/gm, '')
  for (const [, label = ''] of prose.matchAll(/(?<![\w*])_([^_.]{1,60})_(?!\w)/g))
    if (!/[A-Z]/.test(label[0] ?? '') || labels.includes(label.replaceAll(/\s+/g, ' '))) continue
    else if (!otherLabels.has(label)) yield label
}

const foundInCode = new Map<string, boolean>()
/** Whole words, and in any letter case where it has a hyphen, as names of headers are written. A search of all code takes milliseconds. */
function isInCode(name: string): boolean {
  const [first, last] = [/^\w/, /\w$/].map((end) => end.test(name))
  const pattern = `${first ? '(?<!\\w)' : ''}${escapePattern(name)}${last ? '(?!\\w)' : ''}`
  const isKnown = foundInCode.get(name) ?? new RegExp(pattern, name.includes('-') ? 'i' : '').test(code)
  foundInCode.set(name, isKnown)
  return isKnown
}

/** What a key of a row has that no row has. */
function* findRows(key: string): Generator<string> {
  for (const [, prefix = ''] of key.matchAll(/(?<![\w#])([A-Z]+)#/g))
    if (!code.includes(`'${prefix}#`) && !code.includes(`\`${prefix}#`)) yield key
  for (const [part] of key.matchAll(/(?<![\w#])[A-Z]{2,}(?![\w#])/g)) if (!words.has(part)) yield key
}

const isRowKey = (name: string) => /(?<![\w#])[A-Z]+#/.test(name)

/** In blocks of code: variables, paths of the repository, keys of rows. Commands, settings and routes are found everywhere. */
function* findInBlocks(text: string): Generator<string> {
  for (const [block] of text.matchAll(/^ *```[^]*?^ *```/gm)) {
    for (const [name] of block.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g))
      if (!words.has(name) && !namesOfOthers.has(name)) yield name
    for (const [path] of block.matchAll(/(?<![\w./<>-])(?:shared|functions|web|infra|test|docs)\/[\w./*-]+/g))
      if (!path.startsWith('functions/v1/') && !pathExists(path.replace(/\.$/, ''))) yield path
    for (const [key] of block.matchAll(/(?<![\w#&])[A-Z]+#[\w#]*(?: \/ [A-Z]+[\w#]*)?/g)) yield* findRows(key)
  }
}

function* findWords(text: string): Generator<string> {
  const withoutBlocks = text.replaceAll(/^ *```[^]*?^ *```/gm, '')
  for (const [, name = ''] of withoutBlocks.matchAll(/`([^`\n]+)`/g)) {
    if (isPath(name)) {
      if (!pathExists(name) && !namesOfOthers.has(name)) yield name
      continue
    }
    if (words.has(name) || namesOfOthers.has(name) || name.includes('npm run ') || isInCode(name)) continue
    if (isRowKey(name)) yield* findRows(name)
    const parts = name.match(/[A-Za-z$][\w$]*(?:-[\w$]+)*/g) ?? []
    const isName = (part: string) => /[a-z][A-Z]|_/.test(part) || part === name
    for (const part of parts) if (isName(part) && !words.has(part) && !namesOfOthers.has(part)) yield name
  }
}

/** @returns the names in a document that do not exist */
export function findUnknownNames(markdown: string): string[] {
  return [
    ...new Set([
      ...findCommands(markdown),
      ...findSettings(markdown),
      ...findRoutes(markdown),
      ...findLabels(markdown),
      ...findInBlocks(markdown),
      ...findWords(markdown),
    ]),
  ]
}
