import type { Failure } from './error-boundary.tsx'
import { Button, buttonClass } from './ui/button.tsx'

/** Code of a part of the page that did not arrive. */
export class PartLoadError extends Error {
  override name = 'PartLoadError'
}

const describe = (what: string, error: unknown) =>
  `This ${what} ${error instanceof PartLoadError ? 'could not be loaded.' : 'stopped working.'}`

/** In place of a page. Its links load the page anew: the router may be what broke. */
export function PageFailure({ error, retry }: Failure) {
  return (
    <div role="alert" className="m-auto max-w-md p-6">
      <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">Something went wrong</h1>
      <p className="mb-6 text-base text-balance text-ink-muted">
        {describe('page', error)} Your conversations are safe.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onClick={retry}>
          Try again
        </Button>
        <a href="/" className={buttonClass({ tone: 'ghost' })}>
          Return to Home
        </a>
      </div>
    </div>
  )
}

/**
 * In place of a part of a page.
 * @param close for a dialog, a panel or an editor: the failure is a dialog then, which closes as the part itself does
 */
export function PartFailure({ error, retry, close }: Failure & { close: (() => void) | undefined }) {
  const note = (
    <div role="alert" className="m-2 rounded-sm bg-danger-soft px-3 py-2.5 text-sm">
      {describe('part', error)}{' '}
      <button type="button" className="link font-medium" onClick={retry}>
        Try again
      </button>
    </div>
  )
  if (!close) return note
  return (
    <dialog
      ref={(dialog) => dialog?.showModal()}
      onClose={close}
      aria-label="Error"
      className="m-auto rounded-lg bg-surface-overlay p-2 text-ink shadow-dialog backdrop:bg-scrim"
    >
      {note}
      <Button className="float-right" onClick={close}>
        Close
      </Button>
    </dialog>
  )
}
