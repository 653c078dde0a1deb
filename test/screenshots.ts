import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { animatedPng, readPng, type Frame } from './support/animated-png.ts'
import { launchChromium } from './support/chromium.ts'
import { connectProvider } from './support/connect-provider.ts'
import { chatGpt2023, chatGpt2024, chatGpt2026, claude2023 } from './support/export-samples.ts'
import { startStack, type LocalStack } from './support/local-stack.ts'
import { addMicrophone } from './support/microphone.ts'
import type { StackUser } from './support/stack-user.ts'

/** Takes the images of the README from the product as `npm start` runs it. */

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
  await page.getByRole('link', { name: /Active/ }).waitFor()
  return page
}

/** Runs in the page: toasts come and go in their own time. */
function hideToasts(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync('[data-sonner-toaster] { display: none }')
  document.adoptedStyleSheets.push(styles)
}

async function takeScreenshot(page: Page, name: string) {
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

const wide = { viewport: { width: 1280, height: 1020 }, deviceScaleFactor: 1.5 }
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
  await page.setViewportSize({ width: 1280, height: 800 })
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
  await page.getByText('What is the total of each region?').scrollIntoViewIfNeeded()
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
  await card.screenshot({ path: join(folder, 'import.png'), animations: 'disabled' })
}

async function takeProject(page: Page) {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await composer(page).waitFor()
  await page.getByRole('button', { name: 'Your Conversations' }).first().click()
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Spring catalogue')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Spring catalogue' }).waitFor()
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
  await form.screenshot({ path: join(folder, 'dictation.png'), animations: 'disabled' })
  await page.keyboard.press('Escape')
  await composer(page).fill('')
}

const stack = await startStack({
  env: { DEMO_TOKENS_PER_SECOND: '45', OPENAI_TRANSCRIPTION_MODEL: 'listener' },
})
const browser = await launchChromium()
try {
  await mkdir(folder, { recursive: true })
  const user = await stack.newUser({ name: 'Mika Kaas', email: 'mika@roastery.example' })
  for (const provider of ['gmail', 'hubspot', 'slack']) await connectProvider(stack, user, provider)
  const open = (look: BrowserContextOptions) => openSignedIn(stack, browser, user, look)

  const page = await open(wide)
  await takeChat(page)
  await takeCatalogue(page)
  await takePreview(await open({ ...wide }))
  await takeTables(await open({ ...wide }))
  await takeChart(await open({ ...wide }))
  await takeImport(page)
  await takeProject(page)
  await takeLanguage(page)
  await takeVoice(page)
  await takePhone(
    await open({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      colorScheme: 'dark',
      hasTouch: true,
    }),
  )

  // last, because the mail that it sends is in the mailbox from then on
  const recording = await record(await open({ viewport: { width: 960, height: 640 } }), useTools)
  const file = animatedPng(recording)
  await writeFile(join(folder, 'recording.png'), file)
  const seconds = recording.reduce((sum, { ms }) => sum + ms, 0) / 1_000
  console.log(
    `recording.png: ${seconds.toFixed(1)} s, ${recording.length} images, ${Math.round(file.length / 1_024)} KB`,
  )
} finally {
  await browser.close()
  await stack.stop()
}
