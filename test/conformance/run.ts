import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm run conformance [-- scenario …]`: the client scenarios of the protocol's own conformance suite against the product's code, a
 * line each. What is known to fail stands here with its reason; anything else that fails, or a known one that passes, ends it with 1.
 */

const knownFailures: Record<string, string> = {
  'elicitation-sep1034-client-defaults':
    'servers cannot ask the person: what a tool needs, the model asks for',
  'auth/basic-cimd':
    'a warning: metadata documents are for servers that name themselves (`iss`), others register',
  'auth/scope-step-up': 'a missing permission is told, and granted by connecting anew, never on the way',
  'auth/pre-registration': 'a server of the catalogue takes no typed Client ID',
  'auth/2025-03-26-oauth-metadata-backcompat':
    'metadata that names another issuer than its address is refused',
  'auth/2025-03-26-oauth-endpoint-fallback': 'addresses are not guessed where a server has no metadata',
  'auth/client-credentials-jwt': 'people connect, not the product for itself',
  'auth/client-credentials-basic': 'people connect, not the product for itself',
  'auth/cross-app-access-complete-flow': 'there is no identity provider between the product and the servers',
}

const scenarios = [
  'initialize',
  'tools_call',
  'sse-retry',
  'elicitation-sep1034-client-defaults',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
]

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const client = `${process.execPath} ${join(import.meta.dirname, 'client.ts')}`

async function run(scenario: string) {
  const child = spawn(process.execPath, [suite, 'client', '--command', client, '--scenario', scenario], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const output = `${out}\n${errors}`
  const [, passed = '0', of = '0'] = /Passed: (\d+)\/(\d+)/.exec(output) ?? []
  return { passed: Number(passed), of: Number(of), isFine: child.exitCode === 0, output }
}

const wanted = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)
let surprises = 0
let checks = 0
let met = 0
for (const scenario of scenarios) {
  if (wanted.length > 0 && !wanted.includes(scenario)) continue
  const { passed, of, isFine, output } = await run(scenario)
  checks += of
  met += passed
  const reason = knownFailures[scenario]
  const isSurprise = isFine === (reason !== undefined)
  if (isSurprise) surprises += 1
  const verdict = isFine ? 'passed' : (reason ?? 'FAILED')
  print(
    `${scenario.padEnd(44)} ${`${passed}/${of}`.padStart(6)}  ${verdict}${isSurprise && isFine && reason ? ', but was known to fail' : ''}`,
  )
  if (wanted.length > 0) print(output)
}
print(`\n${met} of ${checks} checks, ${surprises} surprises`)
process.exitCode = surprises > 0 ? 1 : 0
