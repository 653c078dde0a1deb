import { t } from '@lingui/core/macro'
import type { FallbackProps } from './error-boundary.tsx'
import { CopyDetails } from './ui/copy-details.tsx'
import { Button, buttonClass } from './ui/button.tsx'

/** The code of a lazy component could not be loaded. */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

/** Stands in place of a page that failed. Its link loads the main screen without the router, which may have failed. */
export function PageError({ error, retry }: FallbackProps) {
  return (
    <div role="alert" className="m-auto max-w-md p-6">
      <h1 className="mb-2 text-2xl font-semibold">{t`Something went wrong`}</h1>
      <p className="mb-6 text-base text-balance text-ink-muted">
        {error instanceof ChunkLoadError
          ? t`This page could not be loaded. Your conversations are safe.`
          : t`This page stopped working. Your conversations are safe.`}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" onClick={retry}>
          {t`Try again`}
        </Button>
        <a href="/" className={buttonClass({ variant: 'ghost' })}>
          {t`Return to Home`}
        </a>
        <CopyDetails error={error} />
      </div>
    </div>
  )
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal()

/**
 * Stands in place of a part of a page that failed.
 * @param close closes the dialog, panel or editor that failed; the error is then shown in a dialog of its own
 */
export function PartError({ error, retry, close }: FallbackProps & { close: (() => void) | undefined }) {
  const alert = (
    <div role="alert" className="m-2 rounded-sm bg-danger-soft px-3 py-2.5 text-sm">
      {error instanceof ChunkLoadError ? t`This part could not be loaded.` : t`This part stopped working.`}{' '}
      <button type="button" className="link font-medium" onClick={retry}>
        {t`Try again`}
      </button>{' '}
      <CopyDetails error={error} />
    </div>
  )
  if (!close) return alert
  return (
    <dialog
      ref={showModal}
      onClose={close}
      aria-label={t`Error`}
      className="m-auto rounded-lg bg-surface-overlay p-2 text-ink shadow-dialog backdrop:bg-scrim"
    >
      {alert}
      <Button className="float-end" onClick={close}>
        {t`Close`}
      </Button>
    </dialog>
  )
}
