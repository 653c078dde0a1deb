import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { focusWithinHandlers } from './message-actions.ts'

it('the actions of a message are shown while one of their menus is open, which is elsewhere in the document', async () => {
  render(
    <>
      <div {...focusWithinHandlers} role="group">
        <Menu>
          <MenuTrigger>More</MenuTrigger>
          <MenuContent>
            <MenuItem>Delete</MenuItem>
          </MenuContent>
        </Menu>
      </div>
      <input />
    </>,
  )
  const actions = screen.getByRole('group')
  expect(actions.hasAttribute('data-has-focus')).toBe(false)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' })
  const menu = await screen.findByRole('menu')
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  expect(actions.contains(menu)).toBe(false)
  expect(actions.hasAttribute('data-has-focus')).toBe(true)

  fireEvent.keyDown(menu, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })))
  expect(actions.hasAttribute('data-has-focus')).toBe(true)
  screen.getByRole('textbox').focus()
  expect(actions.hasAttribute('data-has-focus')).toBe(false)
})
