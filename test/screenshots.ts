import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Project } from '#shared/contracts/projects.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { animatedPng, palettePng, readPng, type Frame } from './support/animated-png.ts'
import { launchChromium } from './support/chromium.ts'
import { connectProvider } from './support/connect-provider.ts'
import { chatGpt2023, chatGpt2024, chatGpt2026, claude2023 } from './support/export-samples.ts'
import { startStack, type LocalStack } from './support/local-stack.ts'
import { addMicrophone } from './support/microphone.ts'
import type { StackUser } from './support/stack-user.ts'
import { openTeam } from './support/team.ts'

/** Takes the images of the documents from the product as `npm start` runs it; with names of images only those. */

const folder = join(import.meta.dirname, '../docs/images')
/** The least time between two frames of the recording. */
const frameMs = 33
/** How long its last frame is shown. */
const lastFrameMs = 2_500

const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / })
const approval = (page: Page) => page.getByRole('group', { name: 'Send an e-mail with Gmail?' })

async function sendMessage(page: Page, text: string) {
  await composer(page).fill(text)
  await page.keyboard.press('Enter')
}

const waitForReply = (page: Page) =>
  page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'detached' })

async function openSignedIn(
  stack: LocalStack,
  browser: Browser,
  user: StackUser,
  look: BrowserContextOptions,
) {
  const context = await browser.newContext({ baseURL: stack.origin, locale: 'en-GB', ...look })
  await context.addInitScript(hideToasts)
  const page = await context.newPage()
  await page.goto('/auth')
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.keyboard.press('Enter')
  await composer(page).waitFor()
  await page
    .getByRole('link', { name: /Active|Connect Tools/ })
    .first()
    .waitFor()
  return page
}

/** Runs in the page: toasts come and go in their own time. */
function hideToasts(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync('[data-sonner-toaster] { display: none }')
  document.adoptedStyleSheets.push(styles)
}

async function takeScreenshot(page: Page, name: string, element: Page | Locator = page) {
  await page.mouse.move(0, 0)
  const taken = palettePng(readPng(await element.screenshot({ animations: 'disabled' })))
  await writeFile(join(folder, `${name}.png`), taken)
  console.log(`${name}.png: ${Math.round(taken.length / 1_024)} KB`)
}

const wide = { viewport: { width: 1280, height: 1020 }, deviceScaleFactor: 1.5 }
/** For pictures of forms, which are read at their own size. */
const small = { viewport: { width: 1280, height: 800 } }
const mail = 'Send an email to ben@example.org with the subject "Lunch on Tuesday" saying Yes, noon is fine.'

async function takeChat(page: Page) {
  await sendMessage(page, 'Show my recent emails')
  await waitForReply(page)
  await sendMessage(page, 'Write a function that counts words in TypeScript')
  await waitForReply(page)
  await page.getByText('Tell a real model the input you have').waitFor()
  await takeScreenshot(page, 'chat')
}

const clock = `<!doctype html><style>body{font:600 64px system-ui;display:grid;place-content:center;height:100vh;margin:0;background:linear-gradient(160deg,#f6efe4,#e5d8f5);color:#3b2f63;text-align:center}button{font:500 16px system-ui;padding:10px 22px;border:0;border-radius:99px;background:#3b2f63;color:#fff}</style>
<div id="t">04:00</div><button onclick="run()">Brew</button>
<script>function run(){let s=240;setInterval(()=>{s--;t.textContent=String(s/60|0).padStart(2,'0')+':'+String(s%60).padStart(2,'0')},1000)}</script>`

async function takePreview(page: Page) {
  await page.setViewportSize({ width: 1280, height: 720 })
  await sendMessage(page, `/echo A timer for your French press:\n\n\`\`\`html\n${clock}\n\`\`\``)
  await waitForReply(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('iframe[title^="Preview"]').frameLocator('iframe').getByText('Brew').waitFor()
  await takeScreenshot(page, 'preview')
}

async function takeChart(page: Page) {
  await page.setViewportSize({ width: 1280, height: 640 })
  await sendMessage(page, 'Draw a bar chart of late orders by region')
  await waitForReply(page)
  await page.frameLocator('iframe[title^="Chart"]').getByText('Online').waitFor()
  await takeScreenshot(page, 'chart')
}

async function takeCatalogue(page: Page) {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/integrations')
  await page.getByRole('article', { name: 'Gmail', exact: true }).getByText('Connected').waitFor()
  await takeScreenshot(page, 'integrations')
}

async function takePhone(page: Page) {
  await composer(page).fill(mail)
  // Enter starts a new line on a phone
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await approval(page).waitFor()
  // its buttons take no press in the first moment
  await approval(page).locator('[aria-disabled=true], [data-locked]').first().waitFor({ state: 'detached' })
  await takeScreenshot(page, 'phone')
}

/** Tools at work: reading runs at once, writing waits for Approve. */
async function useTools(page: Page) {
  const click = await drawPointer(page)
  await page.waitForTimeout(500)
  await click(page.getByRole('button', { name: 'Show my recent emails' }))
  await page.getByRole('button', { name: /Read e-mails · 3 results/ }).waitFor()
  await waitForReply(page)
  await page.waitForTimeout(1_000)
  await composer(page).pressSequentially(mail, { delay: 10 })
  await page.keyboard.press('Enter')
  await approval(page).waitFor()
  await page.waitForTimeout(1_600)
  await click(approval(page).getByRole('button', { name: 'Approve' }))
  await page.getByRole('button', { name: /Gmail · Send an e-mail/ }).waitFor()
  await waitForReply(page)
  await page.waitForTimeout(300)
}

/** Draws a pointer, which a headless browser does not show. @returns a function that moves it to an element and clicks */
async function drawPointer(page: Page) {
  await page.evaluate(() => {
    const dot = document.createElement('div')
    Object.assign(dot.style, {
      position: 'fixed',
      left: '70%',
      top: '80%',
      width: '18px',
      height: '18px',
      margin: '-9px',
      borderRadius: '50%',
      background: 'rgb(34 31 27 / 0.35)',
      outline: '2px solid rgb(255 255 255 / 0.8)',
      pointerEvents: 'none',
      zIndex: '9999',
      transition: 'left 500ms ease-in-out, top 500ms ease-in-out',
    })
    document.body.append(dot)
    addEventListener('mousemove', ({ clientX, clientY }) => {
      dot.style.left = `${clientX}px`
      dot.style.top = `${clientY}px`
    })
  })
  return async (target: ReturnType<Page['getByRole']>) => {
    await target.hover()
    await page.waitForTimeout(650)
    await target.click()
  }
}

/** Records what the browser shows while `act` runs, each frame for as long as it was visible. */
async function record(page: Page, act: (page: Page) => Promise<void>): Promise<Frame[]> {
  const shots: { file: Buffer; at: number }[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    shots.push({ file: Buffer.from(data, 'base64'), at: (metadata.timestamp ?? 0) * 1_000 })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'png' })
  await act(page)
  await session.send('Page.stopScreencast')
  // frames may arrive out of order; of several within `frameMs` the last one counts
  const ordered = shots.toSorted((a, b) => a.at - b.at)
  const kept = ordered.filter(({ at }, index) => (ordered[index + 1]?.at ?? Infinity) - at >= frameMs)
  return kept.map(({ file, at }, index) => ({
    image: readPng(file),
    ms: Math.round((kept[index + 1]?.at ?? at + lastFrameMs) - at),
  }))
}

/** Orders of two years, of four regions. */
const orders = `order_no,customer,region,ordered,total_eur\n${Array.from({ length: 4_812 }, (_, index) => {
  const customer = ['Brennero Caffè', 'Hotel Seeblick', 'Kiosk am Wehr', 'Marlo & Sons'][(index * 7) % 4]
  const day = new Date(Date.UTC(2025, 0, 2 + (index % 690))).toISOString().slice(0, 10)
  const total = ((index * 7_919) % 9_000) + [0, 400, 900, 1_300][index % 4]! + 0.5
  return `WH-${30_000 + index},${customer},${['North', 'West', 'East', 'South'][index % 4]},${day},${total}\n`
}).join('')}`

/** A question that a table answers, with the statement that was asked. */
async function takeTables(page: Page) {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(orders) })
  await page.getByText('orders.csv').waitFor()
  await sendMessage(page, 'What is the total of each region?')
  await page.getByRole('figure').waitFor()
  await page.getByRole('button', { name: /Query tables/ }).click()
  await page.getByRole('group', { name: 'SQL' }).waitFor()
  await page.getByRole('main').getByText('What is the total of each region?').scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'tables')
}

/** The card of an import whose export has a conversation in each of several forms. */
async function takeImport(page: Page) {
  await page.goto('/settings')
  const conversations = [chatGpt2023, chatGpt2024, chatGpt2026, claude2023]
  await page.getByLabel('Files of an export').setInputFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(conversations)),
  })
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  const card = page.locator('section').filter({ hasText: 'Import conversations' })
  await takeScreenshot(page, 'import', card)
}

async function takeProject(page: Page, { id, name }: Project) {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(`/projects/${id}`)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('button', { name: 'Edit the instructions' }).click()
  const instructions = page.getByRole('textbox', { name: 'Instructions' })
  await instructions.fill('Write for cafés. Prices are per kilo, without tax.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await instructions.waitFor({ state: 'detached' })
  const file = 'Prices 2027.csv'
  await page
    .getByLabel('Files to add to the project')
    .setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from('roast,price\nAntigua,21\n') })
  await page.getByRole('button', { name: `Remove ${file} from the project` }).waitFor()
  await page.getByText('is being read').waitFor({ state: 'detached' })
  await takeScreenshot(page, 'project')
}

async function takeLanguage(page: Page) {
  await page.goto('/?lang=ar')
  await page.locator('html[dir=rtl] textarea').waitFor()
  // the connections have loaded
  await page.getByRole('link', { name: /3/ }).first().waitFor()
  await takeScreenshot(page, 'arabic')
  await page.goto('/?lang=en')
  await composer(page).waitFor()
}

async function takeVoice(page: Page) {
  await page.evaluate(addMicrophone)
  await composer(page).fill('The tasting on Friday: ')
  await page.getByRole('button', { name: 'Dictate', exact: true }).click()
  await page.getByRole('button', { name: 'Finish dictation' }).waitFor()
  const form = page.locator('form').filter({ has: composer(page) })
  await takeScreenshot(page, 'dictation', form)
  await page.keyboard.press('Escape')
  await composer(page).fill('')
}

/** The picture of an assistant, as somebody would draw one: a cup. */
const cup = `<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 64 64"><rect width="64" height="64" fill="#7a4a2b"/><path d="M14 26h30v10a13 13 0 0 1-13 13h-4a13 13 0 0 1-13-13z" fill="#fff4e3"/><path d="M44 29h3a6 6 0 0 1 0 12h-4" fill="none" stroke="#fff4e3" stroke-width="4"/><path d="M23 20c-3-4 3-5 0-9M32 20c-3-4 3-5 0-9" fill="none" stroke="#f0c48a" stroke-width="3" stroke-linecap="round"/></svg>`

async function drawCup(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } })
  await page.setContent(cup)
  const drawn = await page.screenshot()
  await page.close()
  return drawn
}

/** A project is published, and a colleague opens its assistant. */
async function takeAssistant(
  page: Page,
  member: Page,
  { project: { id }, picture }: { project: Project; picture: Buffer },
) {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`/projects/${id}/publish`)
  await page.getByRole('heading', { level: 1, name: 'Publish' }).waitFor()
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('textbox', { name: 'Name' }).fill('Order desk')
  await page
    .getByRole('textbox', { name: 'What is it for?' })
    .fill('Answers about prices, minimum orders and delivery weeks, in our tone.')
  for (const starter of ['What does a hotel pay from January?', 'Write an offer for 40 kg a month']) {
    await page.getByRole('button', { name: 'Add a starter' }).click()
    await page.keyboard.type(starter)
  }
  await page.getByRole('button', { name: 'Sales', exact: true }).click()
  await page.getByRole('complementary', { name: 'Preview' }).locator('img').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Publish' }).scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'publish')
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await page.waitForURL(/\/assistants\//)

  await member.setViewportSize({ width: 1280, height: 640 })
  await member.reload()
  await member.getByRole('link', { name: 'Order desk' }).first().click()
  await member.getByRole('heading', { level: 1, name: 'Order desk' }).waitFor()
  await member.locator('main img').waitFor()
  await takeScreenshot(member, 'assistant')
}

/** A card that asks for a schedule, and the page with what waits. */
async function takeWaiting(page: Page) {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  await sendMessage(page, 'Every Monday at 8 read my unread mail and draft the answers')
  const card = page.getByRole('group', { name: /schedule/i }).first()
  await card.waitFor()
  await card.locator('[aria-disabled=true], [data-locked]').first().waitFor({ state: 'detached' })
  await takeScreenshot(page, 'schedule')
  await page.goto('/')
  await sendMessage(page, mail)
  await approval(page).waitFor()
  await page.goto('/waiting')
  await page.getByRole('heading', { name: /E-mail to/ }).waitFor()
  await page.locator('[data-locked]').first().waitFor({ state: 'detached' })
  await takeScreenshot(page, 'waiting')
}

async function takeAdministration(page: Page) {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/admin/site')
  await page.getByRole('textbox', { name: 'Each person, per day' }).waitFor()
  await takeScreenshot(page, 'site')

  await page.goto('/admin/invitations')
  const addresses =
    'e-mail,groups\nlena@roastery.example,Sales\ntomas@roastery.example,Sales\nlena(at)roastery.example,\n'
  await page.getByRole('textbox', { name: 'Addresses' }).fill(addresses)
  await page.getByRole('button', { name: /^Invite \d/ }).click()
  await page.getByRole('list', { name: 'Results' }).waitFor()
  const card = page.locator('section').filter({ hasText: 'Invite many' }).last()
  await takeScreenshot(page, 'invite', card)
}

const stack = await startStack({
  env: { DEMO_TOKENS_PER_SECOND: '45', OPENAI_TRANSCRIPTION_MODEL: 'listener' },
})
const browser = await launchChromium()
try {
  await mkdir(folder, { recursive: true })
  const user = await stack.newUser({ name: 'Mika Kaas', email: 'mika@roastery.example' })
  for (const provider of ['gmail', 'hubspot', 'slack']) await connectProvider(stack, user, provider)
  const team = await openTeam(stack)
  const { admin } = team
  await admin.call('admin.createGroup', { body: { name: 'Sales', description: '', limits: {} } })
  const member = await stack.newUser({ name: 'Tomas Reyes', email: 'reyes@roastery.example' })
  for (const one of [user, member]) await team.setGroups(one, { add: ['Sales'] })
  const publisher = await team.signIn(user)
  const open = (look: BrowserContextOptions = wide, of: StackUser = user) =>
    openSignedIn(stack, browser, of, look)
  const phone = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    colorScheme: 'dark',
    hasTouch: true,
  } as const

  const createProject = async (body: RouteRequest<'projects.create'>) =>
    (await publisher.call('projects.create', { body })).project

  const page = await open()
  const takes: Record<string, () => Promise<void>> = {
    chat: () => takeChat(page),
    integrations: () => takeCatalogue(page),
    preview: async () => takePreview(await open()),
    tables: async () => takeTables(await open()),
    chart: async () => takeChart(await open()),
    import: () => takeImport(page),
    project: async () => takeProject(await open(small), await createProject({ name: 'Spring catalogue' })),
    arabic: () => takeLanguage(page),
    dictation: () => takeVoice(page),
    async publish() {
      const project = await createProject({
        name: 'Wholesale 2027',
        instructions: 'Prices are net, in euro, per kilo. Never promise a delivery day; give the week.',
      })
      await takeAssistant(await open(small), await open(small, member), {
        project,
        picture: await drawCup(browser),
      })
    },
    waiting: async () => takeWaiting(await open(small)),
    admin: async () => takeAdministration(await open(small, admin)),
    phone: async () => takePhone(await open(phone)),
    // last, because the mail that it sends is in the mailbox from then on
    async recording() {
      const recording = await record(await open({ viewport: { width: 960, height: 640 } }), useTools)
      const file = animatedPng(recording)
      await writeFile(join(folder, 'recording.png'), file)
      const seconds = recording.reduce((sum, { ms }) => sum + ms, 0) / 1_000
      console.log(
        `recording.png: ${seconds.toFixed(1)} s, ${recording.length} images, ${Math.round(file.length / 1_024)} KB`,
      )
    },
  }
  const names = process.argv.slice(2)
  const unknown = names.filter((name) => !(name in takes))
  if (unknown.length > 0)
    throw new Error(`no picture ${unknown.join(', ')}; there are ${Object.keys(takes).join(', ')}`)
  for (const [name, take] of Object.entries(takes))
    if (names.length === 0 || names.includes(name)) await take()
} finally {
  await browser.close()
  await stack.stop()
}
