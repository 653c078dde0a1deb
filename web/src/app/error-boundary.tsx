import { Component, type ReactNode } from 'react'
import { Button, buttonClass } from '../components/ui/button.tsx'

/** The last net: a page that says that something broke and offers a way on, instead of a white one. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className="grid min-h-dvh">
        <div role="alert" className="m-auto max-w-md p-6">
          <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">Something went wrong</h1>
          <p className="mb-6 text-base text-balance text-ink-muted">
            This page stopped working. Your conversations are safe; loading the page again usually helps.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={() => location.reload()}>
              Load again
            </Button>
            {/* a full load: the router may be what broke */}
            <a href="/" className={buttonClass({ tone: 'ghost' })}>
              Return to Home
            </a>
          </div>
        </div>
      </main>
    )
  }
}
