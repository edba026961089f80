#pragma once

#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

/// While it is true, the system starts no thread in the program that includes this, once.
inline bool noThreads = false;

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
    if (noThreads) return EAGAIN;
    static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return real(thread, attributes, start, argument);
}
