import { App } from 'aws-cdk-lib'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { siteFolder } from '../../../infra/aws/site-build.ts'
import { addStacks } from '../../../infra/aws/stacks.ts'
import { loadContext } from '../../../infra/operate/stage.ts'

/** A change of the default configuration, which is deployed, used, and taken back. */
export interface Configuration {
  readonly context: Readonly<Record<string, unknown>>
  /** logical ids of what it takes away, without their hashes */
  readonly removes?: readonly string[]
}

const identityProvider = {
  name: 'Okta',
  type: 'oidc',
  label: 'Okta',
  issuer: 'https://example.okta.com',
  clientId: 'client',
  secretName: 'juno/okta',
  domains: ['example.org'],
}
/** A zone of the operator, and its domain; launch.py makes it. */
export const hostedZone = { id: 'Z1D633PJN98FT9', domain: 'example.org' }

const google = { googleClientId: 'client', googleSecretName: 'juno/google' }

/** Secrets that an operator creates before a deployment, and what is in them. */
export const operatorSecrets: Readonly<Record<string, string>> = {
  'juno/google': 'secret',
  'juno/okta': 'secret',
  'juno/apps': JSON.stringify({ 'google-drive': { clientId: 'operator+expires=1', clientSecret: 'secret' } }),
}

export const configurations = {
  'apps at providers': { context: { providerAppsSecretName: 'juno/apps' } },
  Google: { context: google },
  OIDC: { context: { identityProviders: [identityProvider] } },
  'open sign-up': { context: { signUp: 'open' } },
  'vault in the table': { context: { vault: 'table' } },
  Bedrock: {
    context: { modelServer: 'bedrock', openaiModel: 'eu.anthropic.claude-sonnet-5' },
    removes: ['ModelKey'],
  },
  'no apps of MCP servers': { context: { mcpApps: 'off' }, removes: ['AppSandbox'] },
  'no passwords': { context: { ...google, passwordSignIn: 'off' } },
  'data deleted with the stacks': { context: { keepData: 'off' } },
  'no monitoring': { context: { monitoring: 'off' } },
  'own domain and WAF': {
    context: { domainName: `chat.${hostedZone.domain}`, hostedZoneId: hostedZone.id, waf: 'on' },
  },
} as const satisfies Record<string, Configuration>

export type ConfigurationName = keyof typeof configurations

/** The folder of a configuration's templates. */
export const toFolder = (folder: string, name: string) => join(folder, name.replaceAll(/\W+/g, '-'))

/** What the CDK's command adds to the context: without it, every resource differs in its metadata. */
const ofCommand = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true }

/**
 * Synthesises every configuration: `node configurations.ts <folder>`. One process does it, in which the CDK bundles each function once;
 * the folders share the bundles. Source maps have relative paths, so bundles of folders at the same depth are the same.
 */
function synthesiseAll(folder: string): void {
  const shared = join(dirname(folder), 'bundles')
  for (const [name, { context }] of Object.entries(configurations)) {
    const app = new App({ context: { ...loadContext([]), ...ofCommand, ...context }, outdir: shared })
    addStacks(app, { siteFolder })
    app.synth()
    const own = toFolder(folder, name)
    mkdirSync(own)
    for (const file of readdirSync(shared))
      if (file.startsWith('asset.')) symlinkSync(join(shared, file), join(own, file))
      else cpSync(join(shared, file), join(own, file))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) synthesiseAll(process.argv[2] ?? '')
