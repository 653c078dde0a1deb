import { Button } from '../../components/ui/button.tsx'

/** 'Continue with Google' (AUTH-03, DEC-030). */
export function GoogleButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="lg" block busy={busy} onClick={onClick}>
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        width={20}
        height={20}
        fill="none"
        strokeWidth={4}
        className="-ml-0.5"
      >
        <path d="M18.6 6.6A8.9 8.9 0 0 0 5 6.5" stroke="#EA4335" transform="translate(0 .6)" />
        <path d="M4.8 7.3a9 9 0 0 0 0 9.6" stroke="#FBBC05" />
        <path d="M4.9 17a8.9 8.9 0 0 0 12.3 2.3" stroke="#34A853" />
        <path d="M17 19.4A8.9 8.9 0 0 0 20.9 12H12.2" stroke="#4285F4" />
      </svg>
      Continue with Google
    </Button>
  )
}
