import {
  Component,
  lazy,
  Suspense,
  useEffect,
  useState,
  type ComponentProps,
  type ComponentType,
  type ReactNode,
} from 'react'

/** How long to wait before each further attempt to load a part. */
const retryDelaysMs = [500, 2000]

/** A part of the page whose code did not arrive. */
class PartLoadError extends Error {
  override name = 'PartLoadError'
}

/**
 * A part of the page with code of its own, loaded ahead of its need or with it. Once it is there it is shown at once; `lazy` alone
 * would show its placeholder for a moment even then. Code that does not arrive leaves an error with "Try again" in place of the part,
 * and is loaded again when the browser is online again.
 * @param placeholder shown until the code is there; without one the boundary around the part shows its own
 * @param options `silent`: for parts that show nothing, whose failure nobody has to see
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder?: ReactNode,
  { silent = false } = {},
) {
  let loaded: ComponentType<Props> | undefined
  const component = () =>
    loadWithRetries(load).then((known) => {
      loaded = known
      return { default: known }
    })
  // `lazy` remembers a failure for ever: each attempt of the reader gets a new one
  let Lazy = lazy(component)
  function Deferred(props: Props) {
    // the same one as long as it stands: its state must survive
    const [Known] = useState(() => loaded)
    const [, setAttempt] = useState(0)
    if (Known) return <Known {...props} />
    const retry = () => {
      Lazy = lazy(component)
      setAttempt((attempt) => attempt + 1)
    }
    const part = <Lazy {...(props as ComponentProps<typeof Lazy>)} />
    return (
      <PartBoundary onRetry={retry} silent={silent}>
        {placeholder === undefined ? part : <Suspense fallback={placeholder}>{part}</Suspense>}
      </PartBoundary>
    )
  }
  /** Loads it now; a failure is met again when it is shown. */
  const preload = (): Promise<void> =>
    component().then(
      () => undefined,
      () => undefined,
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

/** Shows an error in place of a part that could not be loaded; every other error goes on to the next boundary. */
class PartBoundary extends Component<
  { children: ReactNode; onRetry: () => void; silent: boolean },
  { error: Error | undefined }
> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!(error instanceof PartLoadError)) throw error
    return (
      <LoadFailure
        silent={this.props.silent}
        onRetry={() => {
          this.props.onRetry()
          this.setState({ error: undefined })
        }}
      />
    )
  }
}

function LoadFailure({ onRetry, silent }: { onRetry: () => void; silent: boolean }) {
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  })
  if (silent) return null
  return (
    <div role="alert" className="m-2 rounded-sm bg-danger-soft px-3 py-2.5 text-sm">
      This part could not be loaded.{' '}
      <button type="button" className="link font-medium" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
