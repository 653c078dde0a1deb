import type { FallbackProps } from './error-boundary.tsx'
import { Button, buttonClass } from './ui/button.tsx'

/** The code of a lazy component could not be loaded. */
export class ChunkLoadError extends Error {
  override name = 'PartLoadError'
}

const describe = (what: string, error: unknown) =>
  `This ${what} ${error instanceof ChunkLoadError ? 'could not be loaded.' : 'stopped working.'}`

/** Replaces a page. Its link reloads the page, because the router may be what broke. */
export function PageError({ error, retry }: FallbackProps) {
  return (
    <div role="alert" className="m-auto max-w-md p-6">
      <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">Something went wrong</h1>
      <p className="mb-6 text-base text-balance text-ink-muted">
        {describe('page', error)} Your conversations are safe.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
        <a href="/" className={buttonClass({ variant: 'ghost' })}>
          Return to Home
        </a>
      </div>
    </div>
  )
}

/**
 * Replaces a part of a page.
 * @param close for dialogs, panels and editors: the error is shown in a dialog that closes as they do
 */
export function PartError({ error, retry, close }: FallbackProps & { close: (() => void) | undefined }) {
  const alert = (
    <div role="alert" className="m-2 rounded-sm bg-danger-soft px-3 py-2.5 text-sm">
      {describe('part', error)}{' '}
      <button type="button" className="link font-medium" onClick={retry}>
        Try again
      </button>
    </div>
  )
  if (!close) return alert
  return (
    <dialog
      ref={(dialog) => dialog?.showModal()}
      onClose={close}
      aria-label="Error"
      className="m-auto rounded-lg bg-surface-overlay p-2 text-ink shadow-dialog backdrop:bg-scrim"
    >
      {alert}
      <Button className="float-right" onClick={close}>
        Close
      </Button>
    </dialog>
  )
}
