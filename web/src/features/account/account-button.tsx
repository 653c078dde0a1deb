import type { ComponentProps } from 'react'
import { Avatar } from '../../components/ui/avatar.tsx'
import type { Person } from '../../lib/use-profile.ts'

/** The avatar that opens the account menu (MENU-01, MENU-02). */
export function AccountButton({ person, ...rest }: { person: Person } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="menu"
      {...rest}
      type="button"
      aria-label={`${person.initials}, account menu`}
      className="grid size-8 shrink-0 place-items-center rounded-full max-sm:size-11"
    >
      <Avatar initials={person.initials} imageUrl={person.imageUrl} />
    </button>
  )
}
