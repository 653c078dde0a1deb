import { CircleUser, Keyboard, LogOut, Settings } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Avatar } from '../../components/ui/avatar.tsx'
import {
  Menu,
  MenuChoice,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '../../components/ui/menu.tsx'
import type { Person } from '../../lib/use-profile.ts'
import { AccountButton } from './account-button.tsx'
import { themeOptions, useThemeChoice } from './theme-choice.tsx'

/** Who is signed in, their settings, the theme, and the way out (MENU-01 to MENU-06, LIB-20). */
export function AccountMenu({
  person,
  open,
  onOpenChange,
  onShowShortcuts,
  onSignOut,
}: {
  person: Person
  open: boolean
  onOpenChange: (open: boolean) => void
  onShowShortcuts: () => void
  onSignOut: () => void
}) {
  const [theme, selectTheme] = useThemeChoice()
  const navigate = useNavigate()
  return (
    // a modal one would hide the page, landmarks and headings included, from screen readers for a few lines beside a button
    <Menu open={open} onOpenChange={onOpenChange} modal={false}>
      <MenuTrigger asChild>
        <AccountButton person={person} />
      </MenuTrigger>
      <MenuContent>
        <div className="flex items-center gap-2.5 px-2.5 pt-1.5 pb-2">
          <Avatar initials={person.initials} imageUrl={person.imageUrl} />
          <div className="min-w-0">
            <p className="truncate font-medium" title={person.name}>
              {person.name}
            </p>
            <p className="truncate text-sm text-ink-muted" title={person.email}>
              {person.email}
            </p>
          </div>
        </div>
        <MenuChoice label="Theme" value={theme} choices={themeOptions} onChange={selectTheme} />
        <MenuSeparator />
        <MenuItem icon={<CircleUser aria-hidden size={16} />} onSelect={() => void navigate('/profile')}>
          Profile
        </MenuItem>
        <MenuItem icon={<Settings aria-hidden size={16} />} onSelect={() => void navigate('/settings')}>
          Settings
        </MenuItem>
        <MenuItem icon={<Keyboard aria-hidden size={16} />} shortcut="?" onSelect={onShowShortcuts}>
          Keyboard shortcuts
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden size={16} />} onSelect={onSignOut}>
          Log out
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
