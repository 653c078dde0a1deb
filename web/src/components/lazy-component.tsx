import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBoundary, type Failure } from './error-boundary.tsx'
import { PartFailure, PartLoadError } from './error-fallbacks.tsx'

/** How long to wait before each further attempt to load a part. */
const retryDelaysMs = [500, 2000]

/** How a dialog, a panel or an editor is closed by what shows it: each has one of these. */
interface Closable {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
  onCancel?: () => void
}

/**
 * A part of the page with code of its own, loaded ahead of its need or with it. Once it is there it is shown at once; `lazy` alone
 * would show its placeholder for a moment even then. Code that does not arrive, and a part that throws, leave an error with "Try again"
 * in place of the part, and "Close" if it can be closed. Code that did not arrive is loaded again when the browser is online again.
 * @param placeholder shown until the code is there; without one the boundary around the part shows its own
 * @param options `silent`: for parts that show nothing, whose failure nobody has to see; `fallback`: what stands in place of the part
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder?: ReactNode,
  { silent = false, fallback }: { silent?: boolean; fallback?: (failure: Failure) => ReactNode } = {},
) {
  let loaded: ComponentType<Props> | undefined
  const component = () =>
    loadWithRetries(load).then((known) => {
      loaded = known
      return { default: known }
    })
  // `lazy` remembers a failure for ever: each attempt of the reader gets a new one
  const createLazy = () => lazy(component) as ComponentType<Props>
  let Lazy = createLazy()
  function Deferred(props: Props) {
    // the same one as long as it stands: its state must survive
    const [Part, setPart] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    const renew = () => setPart(() => loaded ?? (Lazy = createLazy()))
    const { open, onOpenChange, onClose, onCancel }: Closable = props
    const close = onClose ?? onCancel ?? (onOpenChange && (() => onOpenChange(false)))
    const renderFailure = ({ error, retry: reset }: Failure) => {
      const failure = {
        error,
        retry: () => {
          renew()
          reset()
        },
      }
      return (
        <RetryOnline {...failure}>
          {silent || open === false
            ? null
            : (fallback?.(failure) ?? (
                <PartFailure
                  {...failure}
                  close={
                    close &&
                    (() => {
                      renew()
                      close()
                    })
                  }
                />
              ))}
        </RetryOnline>
      )
    }
    const part = <Part {...props} />
    return (
      <ErrorBoundary fallback={renderFailure} resetKey={open}>
        {placeholder === undefined ? part : <Suspense fallback={placeholder}>{part}</Suspense>}
      </ErrorBoundary>
    )
  }
  /** Loads it now; a failure is met again when it is shown. @returns whether it is there */
  const preload = (): Promise<boolean> =>
    component().then(
      () => true,
      () => false,
    )
  return { Deferred, preload }
}

/** @throws PartLoadError at once while the browser is offline, else after the last attempt */
async function loadWithRetries<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      const delayMs = retryDelaysMs[attempt]
      if (delayMs === undefined || !navigator.onLine)
        throw new PartLoadError('a part of the page could not be loaded', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}

/** A part that could not be loaded is tried again when the browser has a connection again. */
function RetryOnline({ error, retry, children }: Failure & { children: ReactNode }) {
  useEffect(() => {
    if (!(error instanceof PartLoadError)) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  })
  return children
}
