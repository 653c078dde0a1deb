/** @module-tag long */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { addMicrophone } from '../support/microphone.ts'
import { composer, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({ env: { OPENAI_TRANSCRIPTION_MODEL: 'listener', RATE_LIMIT_FACTOR: '100' } })
})
afterAll(() => stack.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Runs in the page: one voice that notes what it reads. */
function addVoice(): void {
  const spoken: string[] = []
  const utterances: SpeechSynthesisUtterance[] = []
  Object.assign(globalThis, { spoken, endReading: () => utterances.at(-1)?.dispatchEvent(new Event('end')) })
  speechSynthesis.getVoices = () => [{ name: 'Voice' } as SpeechSynthesisVoice]
  speechSynthesis.speak = (utterance) => {
    utterances.push(utterance)
    spoken.push(`${utterance.lang}: ${utterance.text}`)
  }
  speechSynthesis.cancel = () => void spoken.push('stop')
}

async function openPage() {
  const { page } = await signedInPage(stack)
  await page.addInitScript(addMicrophone)
  await page.addInitScript(addVoice)
  await page.reload()
  await composer(page).waitFor()
  return page
}
const isMicrophoneOn = (page: Page) =>
  page.evaluate(() =>
    (Reflect.get(globalThis, 'microphone') as MediaStream)
      .getTracks()
      .some((track) => track.readyState === 'live'),
  )
/** Whether the controls of a dictation are on the text of the message. */
const isMessageCovered = async (page: Page) => {
  const controls = await page.getByRole('group', { name: 'Dictate' }).boundingBox()
  const text = await composer(page).evaluate((field) => {
    const { right, bottom } = field.getBoundingClientRect()
    const { paddingRight, paddingBottom } = getComputedStyle(field)
    return { right: right - parseFloat(paddingRight), bottom: bottom - parseFloat(paddingBottom) }
  })
  return text.right > (controls?.x ?? 0) && text.bottom > (controls?.y ?? 0)
}
const readSpoken = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'spoken') as string[])

it('what is said is added to the message, where the caret is, and can be edited', async () => {
  const page = await openPage()
  await composer(page).fill('Before after')
  await composer(page).evaluate((node: HTMLTextAreaElement) => node.setSelectionRange(7, 7))
  await button(page, 'Dictate').click()
  await button(page, 'Finish dictation').waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `dictation-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    expect(await isMessageCovered(page)).toBe(false)
  })
  await button(page, 'Finish dictation').click()
  await expect
    .poll(() => composer(page).inputValue())
    .toMatch(/^Before The demo model cannot hear\. It got \d+ KB as recording\.webm\. after$/)
  await expect.poll(() => isMicrophoneOn(page)).toBe(false)
  await page.keyboard.type('edited')
  await expect.poll(() => composer(page).inputValue()).toContain('webm. edited')
})

it('the keyboard records, cancels and finishes', async () => {
  const page = await openPage()
  await button(page, 'Dictate').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Finish dictation').waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Dictate').waitFor()
  await expect.poll(() => isMicrophoneOn(page)).toBe(false)
  expect(await composer(page).inputValue()).toBe('')
  await button(page, 'Dictate').focus()
  await page.keyboard.press('Enter')
  // it has the focus, so that Enter finishes
  await expect
    .poll(() => button(page, 'Finish dictation').evaluate((node) => node === document.activeElement))
    .toBe(true)
  await page.getByText('0:01').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => composer(page).inputValue()).toContain('The demo model')
})

it('a recording without sound is not sent', async () => {
  const page = await openPage()
  await page.evaluate(() => Object.assign(globalThis, { isMuted: true }))
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await button(page, 'Dictate').click()
  await page.getByText('0:01').waitFor()
  await button(page, 'Finish dictation').click()
  await page.getByText('Nothing was recorded').waitFor()
  expect(sent.filter((url) => url.includes('/speech/'))).toEqual([])
  expect(await composer(page).inputValue()).toBe('')
})

it('a recording that could not be sent can be sent again, and dropped', async () => {
  const page = await openPage()
  const path = '**/api/speech/transcriptions'
  expectFailures(page, { url: /speech/, status: 502 })
  await page.route(path, (route) =>
    route.fulfill({
      status: 502,
      json: { success: false, code: 'model_broken', error: 'It had a problem.' },
    }),
  )
  await button(page, 'Dictate').click()
  await page.getByText('0:01').waitFor()
  await button(page, 'Finish dictation').click()
  await page.getByText('It had a problem.').waitFor()
  await expect.poll(() => page.getByText('What you said was not written down').count()).toBe(1)
  await button(page, 'Transcribe again').waitFor()
  await page.unroute(path)
  await button(page, 'Transcribe again').click()
  await expect.poll(() => composer(page).inputValue()).toContain('The demo model')
})

it('what is said before the user leaves the conversation is in its message field', async () => {
  const page = await openPage()
  await sendMessage(page, '/echo Hello')
  await waitForReplyEnd(page)
  await composer(page).fill('Before')
  await button(page, 'Dictate').click()
  await page.getByText('0:01').waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.getByText('What you said is in the message field of its conversation.').waitFor()
  expect(await isMicrophoneOn(page)).toBe(false)
  expect(await composer(page).inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => composer(page).inputValue()).toMatch(/^Before The demo model cannot hear\./)
})

it('without a microphone the page says so', async () => {
  const page = await openPage()
  for (const [name, text] of [
    ['NotAllowedError', 'The microphone is not allowed'],
    ['NotFoundError', 'The microphone could not be used'],
  ] as const) {
    await page.evaluate((errorName) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', errorName))
    }, name)
    await button(page, 'Dictate').click()
    await page.getByText(text).waitFor()
    await button(page, 'Dictate').waitFor()
  }
})

it('a reply is read aloud without its code, until it ends or is stopped', async () => {
  const page = await openPage()
  await sendMessage(
    page,
    '/echo **Hello** there. How are you?\n\n```js\nconst a = 1\n```\n\n- Поезд отправляется в восемь.',
  )
  await waitForReplyEnd(page)
  // until its code is loaded, a reply is plain text
  await page.locator('[data-reply-text] pre').waitFor()
  await button(page, 'Read aloud').click()
  await button(page, 'Stop reading').waitFor()
  const spoken = ['stop', 'en-GB: Hello there.', 'en-GB: How are you?', 'ru: Поезд отправляется в восемь.']
  await expect.poll(() => readSpoken(page)).toEqual(spoken)
  await button(page, 'Stop reading').click()
  expect((await readSpoken(page)).at(-1)).toBe('stop')
  await button(page, 'Read aloud').click()
  await expect.poll(() => readSpoken(page)).toEqual([...spoken, 'stop', ...spoken])
  await page.evaluate(() => (Reflect.get(globalThis, 'endReading') as () => void)())
  await button(page, 'Read aloud').waitFor()
})

it('where neither is available there is no trace', async () => {
  const other = await demoStack()
  const { page } = await signedInPage(other)
  await sendMessage(page, '/echo Hello')
  await waitForReplyEnd(page)
  await button(page, 'Copy reply').waitFor()
  // this browser has no voices
  expect(await button(page, 'Read aloud').count()).toBe(0)
  expect(await button(page, 'Dictate').count()).toBe(0)
})
