/** The pages that two keys lead to from anywhere. */
export const pageKeys = [
  { keys: 'g o', page: 'Overview', to: '/' },
  { keys: 'g t', page: 'Tokens', to: '/tokens' },
  { keys: 'g c', page: 'Credentials', to: '/credentials' },
  { keys: 'g h', page: 'History', to: '/history' },
  { keys: 'g s', page: 'Settings', to: '/settings' },
] as const;
