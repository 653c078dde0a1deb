import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const sharedPost = {
  shared: true,
  link: textLike(/^https:\/\/www\.linkedin\.com\/feed\/update\/urn%3Ali%3Ashare%3A\S+$/),
  id: anyText,
}

const postContent = {
  'com.linkedin.ugc.ShareContent': {
    shareCommentary: { text: 'We are hiring' },
    shareMediaCategory: 'NONE',
  },
}

export const cases: ProviderCases = {
  roundTrips: {
    get_profile: { finds: 'Ann Example' },
    share_post: { input: { text: 'We are hiring', visibility: 'connections' }, finds: 'urn:li:share:' },
  },
  requests: [
    {
      tool: 'get_profile',
      input: {},
      requests: [{ endpoint: 'GET /v2/userinfo' }],
      result: { name: 'Ann Example', email: 'ann@example.com', picture: 'https://media.licdn.com/photo.jpg' },
    },
    {
      tool: 'share_post',
      input: { text: 'We are hiring' },
      requests: [
        { endpoint: 'GET /v2/userinfo' },
        {
          endpoint: 'POST /v2/ugcPosts',
          headers: { 'x-restli-protocol-version': '2.0.0' },
          body: {
            author: 'urn:li:person:782bbtaQ',
            lifecycleState: 'PUBLISHED',
            specificContent: postContent,
            visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'PUBLIC' },
          },
        },
      ],
      result: sharedPost,
    },
    {
      tool: 'share_post',
      input: { text: 'We are hiring', visibility: 'connections' },
      requests: [
        { endpoint: 'GET /v2/userinfo' },
        {
          endpoint: 'POST /v2/ugcPosts',
          headers: { 'x-restli-protocol-version': '2.0.0' },
          body: {
            author: 'urn:li:person:782bbtaQ',
            lifecycleState: 'PUBLISHED',
            specificContent: postContent,
            visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'CONNECTIONS' },
          },
        },
      ],
      result: sharedPost,
    },
  ],
  responses: [
    {
      tool: 'share_post',
      input: { text: 'Hello' },
      case: 'the id of a post only in a header',
      responses: [['/ugcPosts', undefined, { status: 201, headers: { 'x-restli-id': 'urn:li:share:7' } }]],
      result: {
        shared: true,
        link: 'https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7/',
        id: 'urn:li:share:7',
      },
    },
    {
      tool: 'share_post',
      input: { text: 'Hello' },
      case: 'no id at all',
      responses: [['/ugcPosts', undefined, { status: 201 }]],
      result: { shared: true },
    },
    {
      tool: 'get_profile',
      case: 'an account that shows nothing',
      responses: [['/userinfo', { sub: '1' }]],
      result: { name: '', email: '' },
    },
    {
      tool: 'get_profile',
      case: 'a picture that is not https',
      responses: [['/userinfo', { sub: '1', name: 'x'.repeat(400), picture: 'http://x' }]],
      result: { name: `${'x'.repeat(300)}…`, email: '' },
    },
  ],
  chat: {
    reads: [['Read my LinkedIn profile', 'get_profile', 'Ann Example']],
    write: ['Share a post on LinkedIn saying We are hiring', 'share_post', { text: 'We are hiring' }],
  },
}
