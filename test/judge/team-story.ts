import { setTimeout as wait } from 'node:timers/promises'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import {
  click,
  composer,
  describe,
  keys,
  locating,
  readPage,
  sees,
  send,
  stepMs,
  text,
  until,
  waitForReply,
} from './browser-steps.ts'
import type { Report } from './report.ts'
import type { DrivenBrowser, Started } from './web-drivers.ts'

/** Three people, each in a browser of their own. */
interface Team {
  readonly admin: DrivenBrowser
  readonly publisher: DrivenBrowser
  readonly member: DrivenBrowser
}

const roles = ['admin', 'publisher', 'member'] as const
const group = 'Sales EMEA'
const pia = { name: 'Pia Berg', email: 'pia@example.org' }
const ben = { name: 'Ben Okoro', email: 'ben@example.org' }
const password = 'a long enough secret'
const notice = 'On Saturday we are updating.'
const stopText = 'An administrator has stopped all replies.'
/** functions read the settings of the site again after this time */
const settingsMs = 60_000
const reloadMs = 3_000

/**
 * Does what the guides of users and administrators say about a team: invitations with groups, an assistant that is published, used, changed and
 * withdrawn, a notice, and a stop of all replies. Each step needs the one before.
 * @param start of the administrator's, the publisher's and the member's browser
 */
export async function judgeTeam(
  report: Report,
  start: Readonly<Record<(typeof roles)[number], () => Promise<Started>>>,
): Promise<void> {
  const open: DrivenBrowser[] = []
  const stack = await startStack({
    env: { RATE_LIMIT_FACTOR: '100', DEMO_TOKENS_PER_SECOND: '400', FIRST_ADMINISTRATOR: 'on' },
  })
  try {
    for (const role of roles) {
      const browser = await start[role]()
      if ('missing' in browser) {
        report.skip('a team in three browsers', browser.missing)
        return
      }
      open.push(browser)
    }
    const [admin, publisher, member] = open
    if (!admin || !publisher || !member) throw new Error('a browser is missing')
    report.tell(`administrator ${admin.version}, publisher ${publisher.version}, member ${member.version}`)
    const team: Team = { admin, publisher, member }
    for (const [what, run] of Object.entries(steps)) {
      const problem = await Promise.race([
        run(team, stack).then(() => undefined, describe),
        wait(4 * stepMs, `no end after ${(4 * stepMs) / 1_000} s`, { ref: false }),
      ])
      if (problem === undefined) {
        report.pass(`a team: ${what}`)
        continue
      }
      const pages = await Promise.all(
        roles.map(async (role) => `the page of the ${role} says: ${await readPage(team[role])}`),
      )
      report.fail(`a team: ${what}`, [problem, ...pages].join('; '))
      break
    }
  } finally {
    for (const browser of open) await browser.close()
    await stack.stop()
  }
}

const field = 'input, textarea'

/** Types into a field, over the text that it has. */
async function fill(browser: DrivenBrowser, label: string, value: string): Promise<void> {
  await click(browser, label, field)
  await browser.chord(keys.control, 'a')
  await browser.press(value)
}

/** Creates an account with the link that was mailed to the address. */
async function acceptInvitation(
  browser: DrivenBrowser,
  stack: LocalStack,
  { name, email }: { name: string; email: string },
): Promise<void> {
  const [mail] = await stack.mail(email)
  const link = /http\S+/.exec(mail?.text ?? '')?.[0]
  if (link === undefined) throw new Error(`no mail with a link came to ${email}`)
  await browser.open(link)
  await sees(browser, 'Use the address that was invited.')
  await fill(browser, 'Full name', name)
  await fill(browser, 'Password', password)
  await click(browser, 'Create account', 'button[type=submit]')
  await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
}

/** Loads an address again until an expression is true in the page: functions read the settings of the site every minute. */
async function reloadUntil(
  browser: DrivenBrowser,
  url: string,
  what: string,
  expression: string,
): Promise<void> {
  const endAt = Date.now() + 2 * settingsMs
  do {
    if (Date.now() > endAt) throw new Error(`${what} did not happen`)
    await browser.open(url)
    await until(browser, 'the composer', `document.querySelector('${composer}') !== null`)
    // the page asks for the settings after its first text
    await wait(reloadMs)
  } while ((await browser.evaluate(expression)) !== true)
}

const steps: Readonly<Record<string, (team: Team, stack: LocalStack) => Promise<void>>> = {
  async 'the first account is administrator'({ admin }, stack) {
    const email = 'ann@example.org'
    await admin.open(`${stack.origin}/`)
    await click(admin, 'Create account')
    await fill(admin, 'Full name', 'Ann Example')
    await fill(admin, 'E-mail', email)
    await fill(admin, 'Password', password)
    await admin.press(keys.enter)
    await sees(admin, 'Code from the e-mail')
    const [mail] = await stack.mail(email)
    await fill(
      admin,
      'Code from the e-mail',
      `${/code=(\d{6})/.exec(mail?.text ?? '')?.[1] ?? ''}${keys.enter}`,
    )
    await until(admin, 'the composer', `document.querySelector('${composer}') !== null`)
    await admin.open(`${stack.origin}/admin`)
    await sees(admin, 'Administration')
  },

  async 'makes a group, and invites two people into it with a list'({ admin }, stack) {
    await admin.open(`${stack.origin}/admin/groups`)
    await click(admin, 'New group')
    await fill(admin, 'Name', group)
    await click(admin, 'Create group')
    await until(admin, 'the group', `${text(group)} && !document.querySelector('[role=dialog]')`)
    await admin.open(`${stack.origin}/admin/invitations`)
    await fill(
      admin,
      'Addresses',
      [`E-mail,Groups`, `${pia.email},${group}`, `${ben.email},${group}`].join(keys.enter),
    )
    await click(admin, 'Invite 2 people')
    await until(
      admin,
      'two invitations',
      `${locating('button', `Copy link for ${pia.email}`)} !== null || ${text(pia.email)}`,
    )
  },

  async 'both create their accounts with the mailed link'({ publisher, member }, stack) {
    await acceptInvitation(publisher, stack, pia)
    await acceptInvitation(member, stack, ben)
  },

  async 'a project is published for the group'({ publisher }, stack) {
    await publisher.open(`${stack.origin}/`)
    await click(publisher, 'New project')
    await fill(publisher, 'Name', `Order desk${keys.enter}`)
    await click(publisher, 'Edit the instructions')
    await fill(publisher, 'Instructions', 'Answer with the price list of this year.')
    await click(publisher, 'Save')
    await click(publisher, 'Publish')
    await sees(publisher, 'What is it for?')
    await fill(publisher, 'What is it for?', 'Prices and delivery weeks.')
    await click(publisher, 'Add a starter')
    await publisher.press('What does a hotel pay?')
    await click(publisher, group)
    await click(publisher, 'Publish version 1')
    await until(publisher, 'the page of the assistant', `location.pathname.startsWith('/assistants/')`)
  },

  async 'the member finds the assistant on a new chat, and asks it with its starter'({ member }, stack) {
    await member.open(`${stack.origin}/`)
    await sees(member, `${pia.name} · version 1`)
    await click(member, '', 'main a[href^="/assistants/"]')
    await sees(member, 'your messages stay yours')
    await click(member, 'What does a hotel pay?')
    await until(member, 'the conversation', `location.search.startsWith('?c=')`)
    await sees(member, 'demo model')
    await waitForReply(member)
    if ((await member.evaluate(text('price list of this year'))) === true)
      throw new Error('the page shows the instructions')
  },

  async 'a new version is said once in the conversation'({ publisher, member }) {
    await click(publisher, 'Publish a new version')
    await fill(publisher, 'What is new in version 2?', 'Prices of 2027')
    await click(publisher, 'Publish version 2')
    await until(publisher, 'the page of the assistant', `location.pathname.startsWith('/assistants/')`)
    await send(member, 'And a shop?')
    await sees(member, 'Prices of 2027')
    await waitForReply(member)
  },

  async 'the publisher sees how many conversations began with it'({ publisher }) {
    await click(publisher, 'Publish a new version')
    await sees(publisher, 'used 1 time')
  },

  async 'the administrator withdraws it, and the conversation goes on and says so'({ admin, member }, stack) {
    await admin.open(`${stack.origin}/admin/assistants`)
    await sees(admin, 'Order desk')
    await click(admin, 'Withdraw Order desk')
    await click(admin, 'Withdraw', '[role=dialog] button')
    await sees(admin, 'None yet.')
    await send(member, 'Still there?')
    await sees(member, 'is not available to you any more')
    await waitForReply(member)
  },

  async 'a notice and a stop of all replies reach the member, who goes on after it'(
    { admin, member },
    stack,
  ) {
    await admin.open(`${stack.origin}/admin/site`)
    await fill(admin, 'Text', notice)
    await click(admin, 'Save Changes')
    await until(admin, 'the end of saving', `!${text('Save Changes')}`)
    await click(admin, 'Stop all replies')
    await click(admin, 'Stop all replies', '[role=dialog] button')
    await sees(admin, 'Replies are stopped')
    await reloadUntil(member, `${stack.origin}/`, 'the notice', `${text(notice)} && ${text(stopText)}`)
    await click(admin, 'Start again')
    await until(admin, 'the start', `${locating('button', 'Stop all replies')} !== null`)
    await reloadUntil(member, `${stack.origin}/`, 'the end of the stop', `!${text(stopText)}`)
    await send(member, 'Hello again')
    await sees(member, 'demo model')
    await waitForReply(member)
  },
}
