import { expect, it, onTestFinished } from 'vitest'
import { expectFailures, newPage } from '../support/browser.ts'
import { beginStream, chunk, says, type ModelBehaviour } from '../support/fake-model-server.ts'
import { startStack } from '../support/local-stack.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  runClockUntil,
  sendMessage,
  sendButton,
  sharePage,
  signedInPage,
  stopButton,
  waitForFocus,
} from '../support/page-steps.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('Hello.')
const sharedPage = sharePage(() => signedInPage(stack))

const refusing: ModelBehaviour = (response) => response.writeHead(401).end('{"error":{"message":"bad key"}}')

it(
  'CHAT-33 CHAT-37 LIM-04 greets a new user; the composer grows from 52 to 120 px and sends no blank message',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
    await page.getByText('Your AI assistant with powerful capabilities').waitFor()
    for (const prompt of [
      'What can you help me with?',
      'Show my recent emails',
      'What integrations do I have?',
    ])
      await page.getByRole('button', { name: prompt }).waitFor()
    await page.getByText('Start by typing a message or choosing a quick action above').waitFor()
    await page.getByPlaceholder('Message Juno...').waitFor()
    await page.getByText('Press Enter to send • Shift + Enter for new line').waitFor()
    await page.getByText('Juno Online').waitFor()

    // of the field: its buttons stand in a row of their own below it
    const height = async () => (await composer(page).boundingBox())?.height ?? 0
    const single = await height()
    expect(single).toBeGreaterThanOrEqual(50)
    expect(single).toBeLessThanOrEqual(56)
    await composer(page).fill('   ')
    await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
    await composer(page).fill('')
    for (let line = 0; line < 12; line += 1) {
      await page.keyboard.type(`line ${line}`)
      await page.keyboard.press('Shift+Enter')
    }
    const grown = await height()
    expect(grown).toBeGreaterThan(100)
    expect(grown).toBeLessThanOrEqual(124)
    await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  },
)

it('CHAT-11 CHAT-21 DEC-169 shows thinking, streams the reply, and does not answer a second message in the meantime', async () => {
  const paused = pausableReply('Once upon')
  const silent = Promise.withResolvers<void>()
  model.behave(async (response, request, body) => {
    await silent.promise
    return paused.behaviour(response, request, body)
  })
  const { page } = await sharedPage()
  await sendMessage(page, 'Tell me a story')
  await page.getByText('Juno is thinking...').first().waitFor()
  silent.resolve()
  await page.getByText('Once upon').waitFor()
  await composer(page).fill('Another one')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Queued messages' }).getByText('Another one').waitFor()
  expect(await composer(page).inputValue()).toBe('')
  expect(model.requests).toHaveLength(1)
  model.behave(says('And another.'))
  paused.finish(' a time.')
  await page.getByText('Once upon a time.').waitFor()
  await page.getByText('And another.').waitFor()
  await waitForReplyEnd(page)
  // `behave` has reset the count
  expect(model.requests).toHaveLength(1)
})

it('a finished reply keeps its DOM nodes: a long one is not rendered again', { tags: 'long' }, async () => {
  const paused = pausableReply('First paragraph.\n\n')
  model.behave(paused.behaviour)
  const { page } = await sharedPage()
  await sendMessage(page, 'Go on')
  // plain text until the markdown renderer has loaded
  const written = await page.locator('.prose p', { hasText: 'First paragraph.' }).elementHandle()
  paused.finish('And **more**.')
  await waitForReplyEnd(page)
  await page.getByText('And more.').waitFor()
  await expect.poll(() => written?.evaluate((node) => node.isConnected)).toBe(true)
})

it(
  'LIB-16 a reload in the middle of a reply resumes it and follows it to the end',
  { tags: 'long' },
  async () => {
    const paused = pausableReply('The beginning')
    model.behave(paused.behaviour)
    const { page } = await sharedPage()
    await sendMessage(page, 'Go on')
    await page.getByText('The beginning').waitFor()
    await page.reload()
    await page.getByText('The beginning').waitFor()
    await stopButton(page).waitFor()
    paused.finish(' and the end.')
    await page.getByText('The beginning and the end.').waitFor()
    await waitForReplyEnd(page)
    expect(model.requests).toHaveLength(1)
  },
)

it('DEC-008 a reply stays in its conversation while another one is open', { tags: 'trial' }, async () => {
  const paused = pausableReply('For the first')
  model.behave(paused.behaviour)
  const { page } = await sharedPage()
  await sendMessage(page, 'First')
  await page.getByText('For the first').waitFor()
  await openHistory(page)
  await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  paused.finish(' one only.')
  model.behave(says('For the second.'))
  await sendMessage(page, 'Second')
  await page.getByText('For the second.').waitFor()
  expect(await page.getByText('For the first').count()).toBe(0)
  await openHistory(page)
  await page.getByRole('button', { name: /^First/ }).click()
  await page.getByText('For the first one only.').waitFor()
})

it(
  'ERR-01 ERR-05 CHAT-29 a rejected key is shown as an error of the service, where it happened, with Retry',
  { tags: 'trial' },
  async () => {
    model.behave(refusing)
    const { page } = await signedInPage(stack)
    await page.clock.install()
    await sendMessage(page, 'Hello?')
    const alert = page
      .getByRole('group', { name: 'Error' })
      .getByText(/^Service error: The assistant's model refused this product's key/)
    await alert.waitFor()
    await page.getByText('Chat Error').waitFor()
    await runClockUntil(page, async () => (await alert.count()) === 0)
    expect(new URL(page.url()).pathname).toBe('/')
    model.behave(says('Here I am.'))
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Here I am.').waitFor()
    await expect.poll(() => page.getByText('Hello?', { exact: true }).count()).toBe(1)
  },
)

it('a lost connection is restored automatically', { tags: 'long' }, async () => {
  const paused = pausableReply('Before the cut')
  model.behave(paused.behaviour)
  const { page } = await sharedPage()
  expectFailures(
    page,
    { url: /\/functions\/v1\/chat-openai$/, status: 'network' },
    { url: /\/run\/events$/, status: 'network' },
    // parts of the page may be loading still
    { url: /\/(api|assets)\//, status: 'network' },
  )
  await sendMessage(page, 'Hello')
  await page.getByText('Before the cut').waitFor()
  await page.context().setOffline(true)
  await page.getByText('Juno Online').waitFor({ state: 'detached' })
  paused.finish(' and after it.')
  await page.context().setOffline(false)
  await page.getByText('Before the cut and after it.').waitFor()
  await waitForReplyEnd(page)
  expect(model.requests).toHaveLength(1)
})

it(
  'a reply that reached the model’s limit continues where it stopped, as the same reply',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    model.behave((response) => {
      beginStream(response).write(chunk({ content: 'Once upon a ti' }))
      response.write(chunk({}, 'length'))
      response.end('data: [DONE]\n\n')
    })
    await sendMessage(page, 'Tell me a story')
    const notComplete = page.getByRole('paragraph').filter({ hasText: 'it reached its length limit.' })
    await notComplete.first().waitFor()
    model.behave(says('me.'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Once upon a time.').waitFor()
    await notComplete.first().waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Once upon a time.').waitFor()
    const { sessions } = await user.call('sessions.list', {})
    expect(sessions).toMatchObject([{ message_count: 2 }])
  },
)

it('HIST-08 HIST-29 DEC-007 deleting the open conversation opens a new chat', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  await openHistory(page)
  await page.getByText('No conversations yet').waitFor()
  await page.getByText('Start chatting to see them here!').waitFor()
  await page.keyboard.press('Escape')
  await sendMessage(page, 'To be deleted')
  await page.getByText('Hello.').waitFor()
  await waitForReplyEnd(page)
  await openHistory(page)
  await page.getByText(/2 messages/).waitFor()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByText('Chat removed').waitFor()
  await page.getByText('No conversations yet').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

it('DEC-012 hostile text is harmless', async () => {
  const hostile = [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    '[click](javascript:window.hacked=1) ![pixel](https://evil.example/p.png)',
    '**bold** and **unpaired',
    '[good](https://example.org/)',
  ].join('\n\n')
  model.behave(says(hostile))
  const { page } = await sharedPage()
  await sendMessage(page, hostile)
  await waitForReplyEnd(page)
  const good = page.getByRole('link', { name: 'good' })
  await good.first().waitFor()
  await expect.poll(() => good.first().getAttribute('rel')).toBe('noopener noreferrer')
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

it('the host beside a link reads from left to right, whatever its text does', { tags: 'long' }, async () => {
  model.behave(
    says(
      'One [\u202eclick](https://moc.knab.evil.example/), [\u2067https://bank.example](https://evil.example/)',
    ),
  )
  const { page } = await sharedPage()
  await sendMessage(page, 'Write')
  await waitForReplyEnd(page)
  const hosts = page.locator('main a ~ [data-not-copied]')
  await expect.poll(() => hosts.allTextContents()).toEqual([' moc.knab.evil.example', ' evil.example'])
  const readPositions = (notes: Element[]) =>
    notes.map((note) => {
      const text = note.lastChild
      const range = document.createRange()
      return Array.from(text?.textContent ?? '', (_, index) => {
        range.setStart(text!, index)
        range.setEnd(text!, index + 1)
        return range.getBoundingClientRect().left
      })
    })
  for (const positions of await hosts.evaluateAll(readPositions))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

it('a text in Arabic that begins with code is written from right to left', { tags: 'long' }, async () => {
  model.behave(
    says('`fs.readFile` هي دالة.\n\n- `npm` أداة\n\n> `x` اقتباس\n\n| `a` | ب |\n|-|-|\n| `b` | قيمة |'),
  )
  const { page } = await sharedPage()
  await sendMessage(page, 'Write')
  await waitForReplyEnd(page)
  const codes = page.locator('.is-reply').last().locator('.prose code')
  await expect.poll(() => codes.count()).toBe(5)
  // the code stands to the right of what follows it
  const isOnRight = await codes.evaluateAll((all) =>
    all.map((code) => {
      const { left, right } = (code.closest('table, p, li') ?? code).getBoundingClientRect()
      return code.getBoundingClientRect().left > (left + right) / 2
    }),
  )
  expect(isOnRight).toEqual([true, true, true, true, true])
})

it('works with the keyboard only', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  await waitForFocus(composer(page))
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.getByText('Hello.').waitFor()
  await waitForReplyEnd(page)
  await page.getByRole('button', { name: 'Your Conversations' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitForFocus(page.getByRole('button', { name: 'Your Conversations' }))
})

it('shows no horizontal scroll bar at any width, with long words and tables', async () => {
  const row = `| ${Array.from({ length: 12 }, (_, index) => `column number ${index}`).join(' | ')} |`
  const rule = `| ${Array.from({ length: 12 }, () => '---').join(' | ')} |`
  model.behave(
    says(
      `${'Donaudampfschiff'.repeat(12)}\n\n${row}\n${rule}\n${row}\n\n\`\`\`js\n${'x'.repeat(400)}\n\`\`\``,
    ),
  )
  const { page } = await sharedPage()
  await sendMessage(page, `${'https://example.org/'}${'a'.repeat(300)}`)
  await waitForReplyEnd(page)
  await page.getByText('column number 11').first().waitFor({ state: 'attached' })
  for (const width of [320, 390, 768, 2560]) {
    await page.setViewportSize({ width, height: 800 })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect([width, overflow]).toEqual([width, 0])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
})

it(
  'LIB-20 DEC-101 the theme follows the system until the user chooses one, which survives a reload',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack, { colorScheme: 'dark' })
    const isDark = () =>
      page.evaluate(() => {
        const [red = 0] = /\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? []
        return Number(red) < 128
      })
    await expect.poll(() => isDark()).toBe(true)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => isDark()).toBe(false)
    await page.getByRole('button', { name: /account menu/i }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(() => isDark()).toBe(true)
    await page.reload()
    await composer(page).waitFor()
    await expect.poll(() => isDark()).toBe(true)
  },
)

it(
  'a product that is killed in the middle of a reply has the conversation after its restart',
  { tags: 'trial' },
  async () => {
    const paused = pausableReply('What was written')
    model.behave(paused.behaviour)
    const own = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl } })
    onTestFinished(() => own.stop())
    const { page } = await signedInPage(own)
    expectFailures(
      page,
      { url: /127\.0\.0\.1/, status: 'network' },
      { url: /\/functions\/v1\/chat-openai$/, status: 'network' },
    )
    await sendMessage(page, 'Do not lose this')
    await page.getByText('What was written').waitFor()
    await own.kill('SIGKILL')
    await own.restart()
    await page.reload()
    await page.getByText('Do not lose this').first().waitFor()
    await composer(page).waitFor()
  },
)

it('NAV-07 NAV-08 an unknown address shows the 404 page and the way home', { tags: 'trial' }, async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/no/such/page')
  await page.getByText('Oops! Page not found').waitFor()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/auth')
})
