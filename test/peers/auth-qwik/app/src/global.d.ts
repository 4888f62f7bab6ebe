declare var wrapperConfig: import('@auth/core').AuthConfig;
