import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from './error-boundary.tsx'
import { PartError, ChunkLoadError } from './error-fallbacks.tsx'

/** The delay before each retry. */
const retryDelaysMs = [500, 2000]

/** The callbacks by which dialogs, panels and editors are closed; each has one of these. */
interface Closable {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  onClose?: () => void
  onCancel?: () => void
}

/**
 * A component whose code loads on demand or is preloaded. Once loaded it renders at once; `lazy` alone
 * would show its fallback for a moment even
 * then. Code that does not load, and a component that throws, leave an error with "Try again", and "Close"
 * if it can be closed. Code that did not
 * load is retried when the browser is online again.
 * @param placeholder shown while the code loads; without one the nearest Suspense boundary shows its own
 * @param options `silent` shows no error, for components that render nothing; `fallback` renders the error
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder?: ReactNode,
  { silent = false, fallback }: { silent?: boolean; fallback?: (failure: FallbackProps) => ReactNode } = {},
) {
  let loaded: ComponentType<Props> | undefined
  const loadDefault = () =>
    loadWithRetries(load).then((known) => {
      loaded = known
      return { default: known }
    })
  // `lazy` caches a failure forever, so each retry creates a new one
  const createLazy = () => lazy(loadDefault) as ComponentType<Props>
  let Lazy = createLazy()
  function Component(props: Props) {
    // a mounted component must not be replaced: its state would be lost
    const [Part, setPart] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    const renew = () => setPart(() => loaded ?? (Lazy = createLazy()))
    const { open, onOpenChange, onClose, onCancel }: Closable = props
    const close = onClose ?? onCancel ?? (onOpenChange && (() => onOpenChange(false)))
    const renderFailure = ({ error, retry: reset }: FallbackProps) => {
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
                <PartError
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
  /** Loads the code now. A failure is reported when the component renders. @returns whether it has loaded */
  const preload = (): Promise<boolean> =>
    loadDefault().then(
      () => true,
      () => false,
    )
  return { Component, preload }
}

/** @throws ChunkLoadError at once while the browser is offline, otherwise after the last attempt */
async function loadWithRetries<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      const delayMs = retryDelaysMs[attempt]
      if (delayMs === undefined || !navigator.onLine)
        throw new ChunkLoadError('a part of the page could not be loaded', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}

/** Retries code that could not be loaded when the browser is online again. */
function RetryOnline({ error, retry, children }: FallbackProps & { children: ReactNode }) {
  useEffect(() => {
    if (!(error instanceof ChunkLoadError)) return
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  })
  return children
}
