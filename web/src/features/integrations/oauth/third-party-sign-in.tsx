import { OctagonAlert } from 'lucide-react'
import { createRoot } from 'react-dom/client'
import { Button } from '../../../components/ui/button.tsx'
import { popupPollMs } from './oauth-popup.ts'

/** What the person is asked before a server has them sign in at somebody else's. */
interface Question {
  /** what it means, as the API says it */
  message: string
  /** host of the server that would get the tokens */
  server: string
  signsInAt: readonly string[]
}

/**
 * Asks in the window that the click opened, before it goes anywhere: it is in front of the page, and on a phone instead of it.
 * @returns false also where the window was closed
 * @throws DOMException where the window shows another site
 */
export async function askForeignSignIn(popup: Window, question: Question): Promise<boolean> {
  const { document: page } = popup
  takeLook(page)
  page.title = 'Before you sign in'
  const container = page.createElement('div')
  page.body.replaceChildren(container)
  const root = createRoot(container)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const poll = setInterval(() => {
    if (popup.closed) resolve(false)
  }, popupPollMs)
  const refuse = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') resolve(false)
  }
  page.addEventListener('keydown', refuse)
  root.render(<ForeignSignIn {...question} onAnswer={resolve} />)
  popup.focus()
  try {
    return await promise
  } finally {
    clearInterval(poll)
    page.removeEventListener('keydown', refuse)
    root.unmount()
  }
}

/** The empty window looks as this page does: its styles, its theme, its width on a phone. */
function takeLook(page: Document): void {
  const wanted = 'link[rel=stylesheet], style, meta[name=viewport], meta[name=color-scheme]'
  page.head.replaceChildren(
    ...[...document.head.querySelectorAll(wanted)].map((node) => page.importNode(node, true)),
  )
  const { lang, dataset } = document.documentElement
  page.documentElement.lang = lang
  Object.assign(page.documentElement.dataset, dataset)
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

function ForeignSignIn({
  message,
  server,
  signsInAt,
  onAnswer,
}: Question & { onAnswer: (goesOn: boolean) => void }) {
  return (
    <main className="grid min-h-dvh bg-surface text-ink">
      <section
        role="alertdialog"
        aria-labelledby="question"
        aria-describedby="meaning"
        className="m-auto w-full max-w-(--width-form) p-6"
      >
        <OctagonAlert aria-hidden size={24} strokeWidth={1.75} className="text-danger" />
        <h1 id="question" className="mt-5 text-xl font-semibold tracking-tight wrap-anywhere">
          Let {server} use {signsInAt.join(' and ')}?
        </h1>
        <div id="meaning" className="mt-2 text-base text-ink-muted">
          <p className="wrap-anywhere">{message}</p>
          <p className="mt-3">Continue only if you know that the two work together.</p>
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button tone="primary" ref={focus} onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button onClick={() => onAnswer(true)}>Continue</Button>
        </div>
      </section>
    </main>
  )
}
