import { t } from '@lingui/core/macro'
import { OctagonAlert } from 'lucide-react'
import { createRoot } from 'react-dom/client'
import { Button } from '../../../components/ui/button.tsx'
import { isEscape } from '../../../lib/input/keys.ts'
import { popupPollMs } from './oauth-popup.ts'
import { formatConjunction } from '../../../lib/text/locale.ts'

/** The question whether a server may send the user to the sign-in of other hosts. */
export function formatQuestion(server: string, hosts: readonly string[]) {
  const list = formatConjunction(hosts)
  return t`Let ${server} use ${list}?`
}

/** What the user is told before a server sends them to a third party's sign-in. */
interface ThirdPartySignInDetails {
  /** explanation from the API */
  message: string
  /** host of the server that would receive the tokens */
  server: string
  signsInAt: readonly string[]
}

/**
 * Asks the user in the popup, because the popup covers the page, on a phone completely.
 * @returns whether the user agrees; false also when the popup is closed
 * @throws DOMException when the popup shows another site
 */
export async function confirmThirdPartySignIn(
  popup: Window,
  details: ThirdPartySignInDetails,
): Promise<boolean> {
  const { document: popupDocument } = popup
  copyStyles(popupDocument)
  popupDocument.title = t`Before you sign in`
  const container = popupDocument.createElement('div')
  popupDocument.body.replaceChildren(container)
  const root = createRoot(container)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const poll = setInterval(() => {
    if (popup.closed) resolve(false)
  }, popupPollMs)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEscape(event)) resolve(false)
  }
  popupDocument.addEventListener('keydown', onKeyDown)
  root.render(<ThirdPartySignIn {...details} onAnswer={resolve} />)
  popup.focus()
  try {
    return await promise
  } finally {
    clearInterval(poll)
    popupDocument.removeEventListener('keydown', onKeyDown)
    root.unmount()
  }
}

/** Copies the page's styles, theme, viewport, language and direction to the popup. */
function copyStyles(popupDocument: Document): void {
  const selector = 'link[rel=stylesheet], style, meta[name=viewport], meta[name=color-scheme]'
  popupDocument.head.replaceChildren(
    ...[...document.head.querySelectorAll(selector)].map((node) => popupDocument.importNode(node, true)),
  )
  const { lang, dir, dataset } = document.documentElement
  popupDocument.documentElement.lang = lang
  popupDocument.documentElement.dir = dir
  Object.assign(popupDocument.documentElement.dataset, dataset)
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

function ThirdPartySignIn({
  message,
  server,
  signsInAt,
  onAnswer,
}: ThirdPartySignInDetails & { onAnswer: (isConfirmed: boolean) => void }) {
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
          {formatQuestion(server, signsInAt)}
        </h1>
        <div id="meaning" className="mt-2 text-base text-ink-muted">
          <p className="wrap-anywhere">{message}</p>
          <p className="mt-3">{t`Continue only if you know that they belong together.`}</p>
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button variant="primary" ref={focus} onClick={() => onAnswer(false)}>
            {t`Cancel`}
          </Button>
          <Button onClick={() => onAnswer(true)}>{t`Continue`}</Button>
        </div>
      </section>
    </main>
  )
}
