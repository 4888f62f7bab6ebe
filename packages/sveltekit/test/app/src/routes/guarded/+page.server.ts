export const load = () => ({ goods: 'guarded goods' });
