import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { NotificationsCard } from './notifications-card.tsx'

it('declining the browser’s permission leaves the switch off, with the reason', async () => {
  const browser = { permission: 'default', requestPermission: vi.fn<() => Promise<string>>() }
  browser.requestPermission.mockImplementation(async () => (browser.permission = 'denied'))
  vi.stubGlobal('Notification', browser)
  render(<NotificationsCard />)
  const toggle = screen.getByRole('switch', { name: 'Tell me when a reply is ready' })
  fireEvent.click(toggle)
  expect(await screen.findByText(/This browser blocks notifications of this site/)).toBeTruthy()
  expect(browser.requestPermission).toHaveBeenCalledOnce()
  expect(toggle.getAttribute('aria-checked')).toBe('false')
})
