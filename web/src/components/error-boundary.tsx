import { Component, type ReactNode } from 'react'

/** The error that was thrown while rendering, and a function that renders again. */
export interface FallbackProps {
  error: unknown
  retry: () => void
}

interface ErrorBoundaryProps {
  children: ReactNode
  /** rendered instead of the children; React has logged the error */
  fallback: (failure: FallbackProps) => ReactNode
  /** a changed value renders the children again */
  resetKey?: unknown
}

/** The error boundary around the app, each page, each lazy component and each message. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { caught: { error: unknown } | undefined }> {
  override state: { caught: { error: unknown } | undefined } = { caught: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } }
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { caught }: ErrorBoundary['state']) {
    // not in the update that threw
    if (caught && this.state.caught && before.resetKey !== this.props.resetKey) this.retry()
  }

  readonly retry = () => this.setState({ caught: undefined })

  override render() {
    const { caught } = this.state
    return caught ? this.props.fallback({ ...caught, retry: this.retry }) : this.props.children
  }
}
