/** A Discord that makes nobody wait: its pace is a matter of the tests that hold it. */
export const unmetered = { posts: false, global: false } as const;

/** The waits between looks, and between posts of the trail. */
export const hurried = {
  recover: 50,
  duties: { pins: 50 },
  announcer: { every: 50 },
  trail: { between: 20, look: 50 },
};
