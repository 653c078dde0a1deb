/** What a group can forbid its members. Absent in its limits: allowed. */
export const groupRights = [
  'publish',
  'share_links',
  'upload',
  'memory',
  'temporary_chats',
  'schedules',
  'web_pages',
] as const
export type GroupRight = (typeof groupRights)[number]
