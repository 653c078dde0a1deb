import { Component, type ReactNode } from 'react'

/** What broke while it was rendered, and the way to render it again. */
export interface FallbackProps {
  error: unknown
  retry: () => void
}

interface ErrorBoundaryProps {
  children: ReactNode
  /** rendered in place of the children; React has written the error to the console */
  fallback: (failure: FallbackProps) => ReactNode
  /** another value stands for other children: they are rendered although these broke */
  resetKey?: unknown
}

/** The one place where errors of rendering are caught: around the app, each page, each part that loads later, each message. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { caught: { error: unknown } | undefined }> {
  override state: { caught: { error: unknown } | undefined } = { caught: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } }
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { caught }: ErrorBoundary['state']) {
    // not in the update in which they broke
    if (caught && this.state.caught && before.resetKey !== this.props.resetKey) this.retry()
  }

  readonly retry = () => this.setState({ caught: undefined })

  override render() {
    const { caught } = this.state
    return caught ? this.props.fallback({ ...caught, retry: this.retry }) : this.props.children
  }
}
