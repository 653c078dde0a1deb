/** @module-tag long */
import { expect, it } from 'vitest'
import { expectFailures, newPage, withMotion } from '../support/browser.ts'
import { beginStream, chunk, type ModelBehaviour } from '../support/fake-model-server.ts'
import {
  cognitoRefusal,
  composer,
  submitSignIn,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  stopButton,
  typeThrough,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack, scriptedStack } from '../support/shared-stack.ts'

const { model, stack: scripted } = await scriptedStack('Unused.')

/** Another OpenAI-compatible server: sends a word every few milliseconds, as long as the client is connected. */
const endless: ModelBehaviour = (response, _, { messages }) => {
  const message = messages.at(-1)?.content ?? ''
  beginStream(response)
  if (!message.includes('long')) {
    response.write(chunk({ content: `You said: ${message}` }))
    response.write(chunk({}, 'stop'))
    response.end('data: [DONE]\n\n')
    return
  }
  let wordCount = 0
  const timer = setInterval(() => response.write(chunk({ content: `word ${(wordCount += 1)}, ` })), 20)
  response.on('close', () => clearInterval(timer))
}

const password = 'her secret'
const chosen = 'another horse'
const answer = /demo model/

const stack = await demoStack()

it('the mailed link in another tab of the same browser signs both tabs in', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const page = await newPage({ ...withMotion, baseURL: stack.origin })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Create account' }).click()
  await waitForFocus(page.getByLabel('Full name'))
  await typeThrough(page, ['Mika Kaas', 'Tab', email, 'Tab', password, 'Enter'])
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  const [mail] = await stack.mail(email)
  const link = await page.context().newPage()
  await link.goto(/http\S+code=\d{6}/.exec(mail?.text ?? '')?.[0] ?? '')
  for (const tab of [page, link]) await tab.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
})

it('AUTH-18 HIST-12 a new user signs up, confirms with the mailed link, chats, stops a reply, reloads, and finds it again', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const page = await newPage({ ...withMotion, baseURL: stack.origin })

  // sign up
  await page.goto('/')
  await page.waitForURL('/auth')
  await page.getByRole('button', { name: 'Create account' }).click()
  await waitForFocus(page.getByLabel('Full name'))
  await typeThrough(page, ['Mika Kaas', 'Tab', email, 'Tab', password, 'Enter'])
  await page.getByText('Account created! Please check your email').waitFor()
  await expect
    .poll(() => page.getByRole('region', { name: 'Notifications' }).innerText(), { message: 'AUTH-31' })
    .toContain('Account created!')

  // confirm with the link, which needs no earlier session
  const [mail] = await stack.mail(email)
  const link = /http\S+code=\d{6}/.exec(mail?.text ?? '')?.[0] ?? ''
  expect(new URL(link).origin).toBe(stack.origin)
  const other = await newPage({ ...withMotion, baseURL: stack.origin })
  await other.goto(link)
  await other.getByText('Email Confirmed').waitFor()
  expect(new URL(other.url()).search, 'AUTH-33').toBe('')

  // it is another browser, where the password from the sign-up does not count: a second mail lets the user choose one
  await other.getByRole('heading', { name: 'Choose a password' }).waitFor()
  const second = /http\S+code=\d{6}/.exec((await stack.mail(email))[0]?.text ?? '')?.[0] ?? ''
  expect(second).toContain('type=recovery')
  await other.goto(second)
  await other.getByLabel('New password', { exact: true }).fill(chosen)
  await other.keyboard.press('Enter')
  await other.getByText('Your password is changed. Sign in with the new one.').waitFor()

  // sign in, and send a message
  await submitSignIn(other, { email, password: chosen })
  await other.getByText('Welcome back!').waitFor()
  await other.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await other.getByRole('button', { name: 'What can you help me with?' }).click()
  await other.getByText(answer).first().waitFor()
  await waitForReplyEnd(other)
  const address = other.url()
  expect(new URL(address).searchParams.get('c')).toMatch(/^[\w-]{36}$/)

  // a long reply, stopped
  await sendMessage(other, '/long')
  await stopButton(other).waitFor()
  await other.getByText('The').first().waitFor()
  await stopButton(other).click()
  await other.getByText('Generation stopped by user.').first().waitFor()

  // all of it is there after a reload
  await other.reload()
  await other.getByText('Generation stopped by user.').first().waitFor()
  await other.getByText(answer).first().waitFor()
  expect(other.url()).toBe(address)

  // a new chat, and back through the history
  await openHistory(other)
  await other.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await other.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await openHistory(other)
  await other.getByText('1 conversation saved').waitFor()
  await other.getByRole('button', { name: /^What can you help me with\?/ }).click()
  await other.getByText('Generation stopped by user.').first().waitFor()

  // sign out
  await other.getByRole('button', { name: /account menu/i }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  await other.getByText('You have been successfully signed out.').waitFor()
  await other.waitForURL('/auth')
  await expect
    .poll(() => other.getByRole('region', { name: 'Notifications' }).innerText(), { message: 'MENU-07' })
    .toContain('You have been successfully signed out.')
  await other.goto('/')
  await other.waitForURL('/auth')
})

it(
  'INFRA-11 with another OpenAI-compatible server a user chats, stops a reply, and finds it after a reload',
  { tags: 'trial' },
  async () => {
    model.behave(endless)
    const { page } = await signedInPage(scripted, withMotion)
    await page.getByRole('button', { name: 'What can you help me with?' }).click()
    await page.getByText('You said: What can you help me with?').waitFor()
    await waitForReplyEnd(page)
    await sendMessage(page, '/long')
    await page.getByText(/word 5/).waitFor()
    await stopButton(page).click()
    await page.getByText('Generation stopped by user.').first().waitFor()
    await page.reload()
    await page.getByText('Generation stopped by user.').first().waitFor()
    await page.getByText('You said: What can you help me with?').waitFor()
  },
)

it(
  'AUTH-23 AUTH-26 an unconfirmed user sees a message, and confirms with the typed code',
  { tags: 'trial' },
  async () => {
    const page = await newPage({ ...withMotion, baseURL: stack.origin, expected: [cognitoRefusal] })
    const email = 'typed@roastery.example'
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Create account' }).click()
    await waitForFocus(page.getByLabel('Full name'))
    await typeThrough(page, ['Typed Code', 'Tab', email, 'Tab', password])
    await page.keyboard.press('Enter')
    await page.getByText('Check your e-mail').waitFor()
    await page.goto('/auth')
    await submitSignIn(page, { email, password: 'not this one' })
    await page.getByText('Invalid email or password. Please try again.').first().waitFor()
    await submitSignIn(page, { email, password })
    await page
      .getByText('Please check your email and click the confirmation link before signing in.')
      .first()
      .waitFor()
    await page.getByText('Enter the code, or send the e-mail again').click()
    const code = /code=(\d{6})/.exec((await stack.mail(email))[0]?.text ?? '')?.[1] ?? ''
    await waitForFocus(page.getByLabel(/code/i).first())
    await typeThrough(page, [`${code.slice(0, 3)} ${code.slice(3)}`])
    // the sixth digit submits the code
    await composer(page).waitFor()
  },
)

it(
  'AUTH-21 AUTH-32 AUTH-34 a forgotten password is reset with the mailed link',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    const page = await newPage({ ...withMotion, baseURL: stack.origin })
    await page.goto('/auth')
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByText('Forgot your password?').click()
    await page.getByText('Check your email for password reset instructions.').waitFor()
    const link = /http\S+code=\d{6}/.exec((await stack.mail(user.email))[0]?.text ?? '')?.[0] ?? ''
    expect(link).toContain('type=recovery')
    await page.goto(link)
    await page.getByText('Password Reset').first().waitFor()
    await page.getByLabel('New password', { exact: true }).fill('another secret')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expectFailures(page, cognitoRefusal)
    await submitSignIn(page, user)
    await page.getByText('Invalid email or password. Please try again.').first().waitFor()
    await submitSignIn(page, { email: user.email, password: 'another secret' })
    await composer(page).waitFor()
  },
)
