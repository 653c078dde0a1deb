import type { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import type { Credentials } from '../../../infra/operate/sign-in.ts'
import type { Report } from '../report.ts'
import { listStateful } from './deployment.ts'
import { type Caller, readFileText, signIn, type Site, uploadText } from './journeys.ts'

interface Setting {
  cloudFormation: CloudFormationClient
  site: Site
  user: Credentials
  /** puts the code at hand in the place of the earlier release @returns whether all of it ended well */
  upgrade: () => Promise<boolean>
}

const fileText = 'The offsite is on Friday.'
const message = 'Say hello'
const memory = 'I live in Rome.'

/** Lets somebody work with an earlier release, upgrades it, and judges that their data is there and of use. */
export async function judgeUpgrade(
  report: Report,
  { cloudFormation, site, user, upgrade }: Setting,
): Promise<void> {
  try {
    const person = await signIn(site, user)
    const attachmentId = await uploadText(person, fileText)
    const sessionId = crypto.randomUUID()
    await send(person, sessionId, message, [attachmentId])
    await person.call('projects.create', { body: { name: 'Travel', instructions: 'Answer briefly.' } })
    await person.call('memory.add', { body: { text: memory } })
    const written = await readMessages(person, sessionId)
    if (written.length !== 2) throw new Error(`the earlier release has stored ${written.length} messages`)
    const before = await listStateful(cloudFormation)
    report.pass('a person works with the earlier release')

    if (!(await upgrade())) return
    const after = await listStateful(cloudFormation)
    const replaced = [...before].filter(([id, physicalId]) => after.get(id) !== physicalId)
    if (replaced.length > 0) report.fail('replaced by the upgrade', replaced.map(([id]) => id).join(', '))
    else report.pass(`the upgrade replaces none of ${before.size} resources that keep data`)

    const same = await signIn(site, user)
    const read = await readMessages(same, sessionId)
    if (read.join('\n') !== written.join('\n'))
      throw new Error(`the conversation was ${written.join(', ')}, and is ${read.join(', ')}`)
    const text = await readFileText(same, attachmentId)
    if (text !== fileText) throw new Error(`the file is now ${text.slice(0, 100)}`)
    const { projects } = await same.call('projects.list')
    const { memories } = await same.call('memory.list')
    const kept = [...projects.map(({ name }) => name), ...memories.map(({ text: each }) => each)]
    if (kept.join() !== `Travel,${memory}`) throw new Error(`of project and memory is there: ${kept.join()}`)
    await send(same, sessionId, 'And again', [])
    const grown = await readMessages(same, sessionId)
    if (grown.length !== 4) throw new Error(`after one more there are ${grown.length} messages`)
    report.pass(
      'after the upgrade conversation, file, project and memory are there, and the conversation goes on',
    )
  } catch (error) {
    report.fail('the upgrade', error instanceof Error ? error.message : String(error))
  }
}

async function send(user: Caller, sessionId: string, content: string, attachmentIds: readonly string[]) {
  await user.call('chat.send', {
    body: {
      messages: [{ role: 'user', content, attachments: attachmentIds.map((id) => ({ id })) }],
      sessionId,
      messageId: crypto.randomUUID(),
    },
  })
}

/** Role and content of each message: answers of an earlier release may lack what today's have. */
async function readMessages(user: Caller, sessionId: string): Promise<string[]> {
  const { messages } = await user.call('sessions.read', { params: { sessionId } })
  return messages.map(({ role, content }) => `${role}: ${content}`)
}
