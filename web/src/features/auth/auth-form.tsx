import { use, useEffect, useRef, type ReactNode } from 'react'
import { Callout } from '../../components/ui/callout.tsx'
import { SignInReason } from './sign-in-reason.ts'

/**
 * The form of each sign-in step: title, subtitle, fields and footer links. When `errors` changes, the first invalid field is focused.
 */
export function AuthForm({
  title,
  subtitle,
  errors,
  onSubmit,
  footer,
  children,
}: {
  title: string
  subtitle: ReactNode
  /** a value that changes with each new set of errors */
  errors: unknown
  onSubmit: () => void
  footer?: ReactNode
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  const reason = use(SignInReason)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus()
  }, [errors])
  // focuses the first empty field of each step; on a phone the keyboard would cover half of the page
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches)
      Array.from(form.current?.querySelectorAll('input') ?? [])
        .find((input) => input.value === '')
        ?.focus()
  }, [title])
  return (
    <form
      ref={form}
      noValidate
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      // aligned to the top, where the highest form (41rem) is centred: it does not move when an error appears or the step changes
      className="mx-auto mt-[max(0px,calc((100dvh-41rem)/2))] grid w-full grid-cols-1 self-start max-w-[calc(var(--width-form)+2.5rem)] gap-5 px-5 pt-4 pb-12 max-sm:mt-0 max-sm:pt-6"
    >
      <div>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 text-ink-muted wrap-anywhere">{subtitle}</p>
      </div>
      {reason !== undefined && <Callout variant="info">{reason}</Callout>}
      {children}
      {footer !== undefined && (
        <div className="grid gap-2 text-center text-balance text-ink-muted">{footer}</div>
      )}
    </form>
  )
}

/** A button inside a sentence that looks like a link. @param busy ignores presses, and keeps the focus */
export function TextButton({
  children,
  onClick,
  busy = false,
}: {
  children: ReactNode
  onClick: () => void
  busy?: boolean
}) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={() => busy || onClick()}
      className="link rounded-xs font-medium aria-disabled:cursor-default aria-disabled:text-ink-faint aria-disabled:no-underline"
    >
      {children}
    </button>
  )
}
