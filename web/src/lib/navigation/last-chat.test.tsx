import { fireEvent, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { forgetLastChat, rememberChat } from './last-chat.ts'
import { Link, Router, Routes, useLocation } from './router.tsx'
import { useBackToChat } from './use-back-to-chat.ts'

function Chat() {
  const { pathname, search } = useLocation()
  useEffect(() => rememberChat('u1', pathname + search), [pathname, search])
  return <p>Chat {search}</p>
}
function Page() {
  const { onBack } = useBackToChat()
  return <button onClick={onBack}>Back</button>
}

function open(path: string) {
  history.replaceState({ idx: 0 }, '', path)
  render(
    <Router>
      <Link to="/settings">Settings</Link>
      <Link to="/integrations">Tools</Link>
      <Routes pages={{ '/': <Chat />, '*': <Page /> }} />
    </Router>,
  )
}
const press = (name: string) => fireEvent.click(screen.getByText(name))

beforeEach(() => forgetLastChat())

it.each([
  ['from the page that followed it', '/?c=s', ['Settings'], 'Chat ?c=s'],
  ['from a page that followed another page', '/?c=s', ['Tools', 'Settings'], 'Chat ?c=s'],
  ['again, after a second way there', '/?c=s', ['Settings', 'Back', 'Tools'], 'Chat ?c=s'],
  ['to a new one in its project', '/?p=p1', ['Settings'], 'Chat ?p=p1'],
  ['to a new one from a page that was opened by its address', '/settings', [], 'Chat'],
])('Back leads to the last chat %s', async (_, path, presses, chat) => {
  open(path)
  for (const name of presses) {
    press(name)
    await screen.findByText(name === 'Back' ? chat : 'Back')
  }
  press('Back')
  expect(await screen.findByText(chat)).toBeDefined()
})

it('Back goes back in the history where the chat is the page before, so that Forward leads on', async () => {
  open('/?c=s')
  press('Settings')
  const { length } = history
  press('Back')
  await screen.findByText('Chat ?c=s')
  expect([history.length, (history.state as { idx: number }).idx]).toEqual([length, 0])
})
