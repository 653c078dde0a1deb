import type { ComponentProps } from 'react'
import { Avatar } from '../components/ui/avatar.tsx'
import type { SignedInUser } from '../lib/auth-session.ts'
import { initials } from '../lib/initials.ts'

/** The avatar that opens the account menu (MENU-01, MENU-02). */
export function AccountButton({ user, ...rest }: { user: SignedInUser } & ComponentProps<'button'>) {
  const letters = initials(user.fullName, user.email)
  return (
    <button
      aria-haspopup="menu"
      {...rest}
      type="button"
      aria-label={`${letters}, account menu`}
      className="grid size-8 shrink-0 place-items-center rounded-full max-sm:size-11"
    >
      <Avatar initials={letters} />
    </button>
  )
}
