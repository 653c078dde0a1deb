import { mkdirSync } from 'node:fs'
import { launchChromium } from './test/support/chromium.ts'
import { startStack } from './test/support/local-stack.ts'
import { openTeam } from './test/support/team.ts'
mkdirSync('/tmp/shots', { recursive: true })
const stack = await startStack()
const team = await openTeam(stack)
const group = await team.newGroup()
const [pia, ben] = await Promise.all([team.newMember(group), team.newMember(group)])
const { project } = await pia.call('projects.create', { body: { name: 'Order desk', instructions: 'Say amber.' } })
const published = await pia.call('assistants.publish', { params: { projectId: project.id }, body: { audience: 'everyone', description: 'Prices and delivery weeks', starters: ['What does a hotel pay?', 'When do we deliver?'] } as never }) as { assistant?: { id: string } }
console.log(JSON.stringify(published).slice(0, 300))
const browser = await launchChromium()
const looks = [
  { n: 'wide-light-de', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'de-DE' },
  { n: 'phone-dark-de', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'de-DE', hasTouch: true },
  { n: 'phone-light-ar', viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'ar', hasTouch: true },
  { n: 'wide-dark-en', viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'en-GB' },
] as const
const only = process.argv[2]?.split(',')
for (const { n, ...look } of looks) {
  if (only && !only.includes(n)) continue
  const open = async (user: { email: string; password: string }) => {
    const context = await browser.newContext({ baseURL: stack.origin, ...look })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto('/auth')
    await page.getByRole('textbox').first().fill(user.email); await page.locator('input[type=password]').fill(user.password); await page.keyboard.press('Enter')
    await page.locator('textarea').first().waitFor()
    await page.waitForTimeout(3500)
    return page
  }
  const shot = async (page: import('playwright-core').Page, s: string, path?: string, fullPage = false) => { try { if (path) await page.goto(path); await page.waitForTimeout(2500); await page.screenshot({ path: `/tmp/shots/${s}.${n}.png`, animations: 'disabled', fullPage }) } catch (e) { console.log(s, n, String(e).slice(0, 200)) } }
  const p = await open(pia)
  await shot(p, 'a-project', `/projects/${project.id}`)
  await shot(p, 'b-publish', `/projects/${project.id}/publish`, true)
  const b = await open(ben)
  await shot(b, 'c-empty')
  await b.locator('a[href^="/assistants/"]').first().click().catch((e) => console.log(String(e).slice(0, 200)))
  await shot(b, 'd-assistant')
  await b.getByRole('button', { name: 'What does a hotel pay?' }).click().catch((e) => console.log(String(e).slice(0, 200)))
  await b.waitForTimeout(4000)
  await shot(b, 'e-chat')
  const down = b.locator('button[aria-pressed]').last()
  await down.click().catch((e) => console.log('down', String(e).slice(0, 200)))
  await shot(b, 'f-rated')
  const a = await open(team.admin)
  await shot(a, 'g-site', '/admin/site', true)
  await shot(a, 'h-invite', '/admin/invitations', true)
  await shot(a, 'i-usage', '/admin/usage', true)
  await shot(a, 'j-assistants', '/admin/assistants')
  await shot(a, 'k-group', '/admin/groups')
}
await browser.close(); process.exit(0)
