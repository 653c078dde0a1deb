import type { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import type { Credentials } from '../../../infra/operate/sign-in.ts'
import { credentialsFor } from '../../support/provider-values.ts'
import type { Report } from '../report.ts'
import { type Configuration, type ConfigurationName, configurations } from './configurations.ts'
import { listStateful, toConstructName } from './deployment.ts'
import { connect, signIn, type Site, askForTool } from './journeys.ts'

interface Setting {
  site: Site
  cloudFormation: CloudFormationClient
  user: Credentials
  /** @param name undefined: the default configuration @returns whether it was deployed; otherwise the report has said why not */
  deploy: (name?: ConfigurationName) => Promise<boolean>
  /** runs a command of the operator, and reports whether it ended well */
  npm: (name: string, ...words: string[]) => Promise<boolean>
}

/** Deploys one configuration after the other, and the default one after each: nothing that holds data is replaced, and the data is there. */
export async function judgeConfigurations(
  report: Report,
  { site, cloudFormation, user, deploy, npm }: Setting,
): Promise<void> {
  const first = await signIn(site, user)
  const sessionId = crypto.randomUUID()
  await first.call('chat.send', {
    body: { messages: [{ role: 'user', content: 'Hello' }], sessionId, messageId: crypto.randomUUID() },
  })
  const credentials = credentialsFor('twilio')
  await first.call('integrations.connect', {
    params: { mcpId: 'twilio' },
    body: { environment: 'production', credentials },
  })
  const before = await listStateful(cloudFormation)

  /** @param removed what the configuration takes away */
  async function check(name: string, removed: readonly string[]): Promise<void> {
    const after = await listStateful(cloudFormation)
    const replaced = [...before].filter(
      ([id, physicalId]) => after.get(id) !== physicalId && !removed.includes(toConstructName(id)),
    )
    if (replaced.length > 0) throw new Error(`replaced: ${replaced.map(([id]) => id).join()}`)
    const config = (await (await fetch(`${site.origin}/config.json`)).json()) as { passwordSignIn?: boolean }
    if (config.passwordSignIn === false) {
      const isRefused = await signIn(site, user).then(
        () => false,
        () => true,
      )
      if (!isRefused) throw new Error('a password signs in')
      return
    }
    if (name === 'vault in the table') await npm('vault', '--to', 'table', '-c', 'vault=table')
    if (name === 'vault in the table and back') await npm('vault', '--to', 'secrets')
    const signedIn = await signIn(site, user)
    await signedIn.call('sessions.read', { params: { sessionId } })
    const kept = await signedIn.call('credentials.manage', { body: { action: 'retrieve', mcpId: 'twilio' } })
    if (!('credentials' in kept)) throw new Error('the stored key is not found')
    if (name === 'apps at providers') {
      // expired at once: the reply and the route refresh it with the operator's app
      await connect(site, signedIn, 'google-drive', {})
      await askForTool(signedIn, 'List the files in my Google Drive')
      await signedIn.call('integrations.refresh', { params: { mcpId: 'google-drive' }, body: {} })
      await signedIn.call('integrations.disconnect', { params: { mcpId: 'google-drive' }, body: {} })
    }
  }

  const judge = async (name: string, removed: readonly string[]) => {
    try {
      await check(name, removed)
      report.pass(`${name}: nothing is replaced, and the data is there`)
    } catch (error) {
      report.fail(name, error instanceof Error ? error.message : String(error))
    }
  }
  const removedSoFar: string[] = []
  for (const [name, { removes = [] }] of Object.entries<Configuration>(configurations)) {
    removedSoFar.push(...removes)
    if (await deploy(name as ConfigurationName)) await judge(name, removedSoFar)
    if (await deploy()) await judge(`${name} and back`, removedSoFar)
  }
}
